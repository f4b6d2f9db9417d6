# SPDX-License-Identifier: GPL-2.0-or-later
# Writes the C file with the texts of data/boards/*.csv and data/caches/*.csv: a list of bytes,
# because a compiler need not take a string literal of more than 4095.
function finish() {
	if (array == "")
		return
	print "\n};"
	row = "\t{ \"" name "\", (const char *)" array ", sizeof(" array "), " creations " },\n"
	if (folder == "boards")
		boards = boards row
	else
		caches = caches row
}
function bytes(text,    i) {
	for (i = 1; i <= length(text); i++)
		printf "%d,", code[substr(text, i, 1)]
	print "10,"
}
BEGIN {
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	print "/* Made by shipped.awk from data/. */"
	print "#include \"boot/shipped.h\""
}
FNR == 1 {
	finish()
	n = split(FILENAME, part, "/")
	name = part[n]
	sub(/\.csv$/, "", name)
	folder = part[n - 1]
	array = "file" ++files
	creations = 0
	print "\nstatic const unsigned char " array "[] = {"
}
FNR > 1 && !/,\(start_kernel\)$/ { creations++ }
{ bytes($0) }
END {
	finish()
	print "\nconst struct shipped_file shipped_boards[] = {\n" boards "\t{ NULL, NULL, 0, 0 },\n};"
	print "\nconst struct shipped_file shipped_caches[] = {\n" caches "\t{ NULL, NULL, 0, 0 },\n};"
}
