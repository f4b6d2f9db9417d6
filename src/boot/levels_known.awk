# SPDX-License-Identifier: GPL-2.0-or-later
# data/initcall-levels.csv -> levels_known.c.  The file has the __initcall symbols of Debian's 5.10
# and 6.1 cloud kernels for amd64 and of a 6.1.192 of our own, one row a name and level.  A name at
# two levels is left out: which one a log has is for its neighbours to say.
BEGIN {
	FS = ","
	print "/* Made from data/initcall-levels.csv by levels_known.awk: edit those. */"
	print "#include \"boot/levels_known.h\"\n"
	print "const struct known_level known_levels[] = {"
}
FNR == 1 {
	if ($0 != "schema,level,initcall,object,kernels") {
		print FILENAME ": not the columns that were expected" > "/dev/stderr"
		exit failed = 1
	}
	next
}
$3 == name { twice = 1; next }
{ put(); name = $3; level = $2; twice = 0 }
END {
	if (failed)
		exit 1
	put()
	print "};\n\nconst size_t n_known_levels = sizeof(known_levels) / sizeof(*known_levels);"
}
function put() {
	if (name != "" && !twice)
		printf "\t{ \"%s\", LEVEL_%s },\n", name, toupper(level)
}
