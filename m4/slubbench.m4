dnl SPDX-License-Identifier: GPL-2.0-or-later

dnl SLUBBENCH_FLAGS(VARIABLE, FLAGS): put each of FLAGS that this compiler takes into VARIABLE.
AC_DEFUN([SLUBBENCH_FLAGS], [
  for slubbench_flag in $2; do
    AC_MSG_CHECKING([whether the compiler takes $slubbench_flag])
    slubbench_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $slubbench_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([])],
      [AC_MSG_RESULT([yes]); $1="$$1 $slubbench_flag"], [AC_MSG_RESULT([no])])
    CFLAGS=$slubbench_cflags
  done
  AC_SUBST([$1])
])

dnl SLUBBENCH_LDFLAGS(VARIABLE, FLAGS): put each of FLAGS that this linker takes into VARIABLE.
AC_DEFUN([SLUBBENCH_LDFLAGS], [
  for slubbench_flag in $2; do
    AC_MSG_CHECKING([whether the linker takes $slubbench_flag])
    slubbench_ldflags=$LDFLAGS
    LDFLAGS="$LDFLAGS $slubbench_flag"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([])],
      [AC_MSG_RESULT([yes]); $1="$$1 $slubbench_flag"], [AC_MSG_RESULT([no])])
    LDFLAGS=$slubbench_ldflags
  done
  AC_SUBST([$1])
])

dnl SLUBBENCH_ISA(NAME, FLAGS, HEADER, BODY): can an intrinsic of this instruction set be compiled?
dnl The flag alone proves nothing: some compilers take it and lack the header.
AC_DEFUN([SLUBBENCH_ISA], [
  AC_MSG_CHECKING([for $1 intrinsics])
  slubbench_cflags=$CFLAGS
  CFLAGS="$CFLAGS $2"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([#include <$3>], [$4])], [have_$1=yes], [have_$1=no])
  CFLAGS=$slubbench_cflags
  AC_MSG_RESULT([$have_$1])
  AS_VAR_IF([have_$1], [yes], [AC_DEFINE(AS_TR_CPP([HAVE_$1]), [1], [Can compile $1 intrinsics])])
  AM_CONDITIONAL(AS_TR_CPP([HAVE_$1]), [test "$have_$1" = yes])
])

dnl SLUBBENCH_NEED(NAME, PACKAGE): note what is missing; SLUBBENCH_NEEDS_END ends with the whole list.
AC_DEFUN([SLUBBENCH_NEED], [slubbench_missing="$slubbench_missing $2"])
AC_DEFUN([SLUBBENCH_NEEDS_END], [
  AS_IF([test -n "$slubbench_missing"], [
    AC_MSG_ERROR([missing libraries; on Debian and Ubuntu: apt-get install$slubbench_missing])
  ])
])

dnl SLUBBENCH_SONAME(VARIABLE, CFLAGS, LIBS, HEADER, CALL, LIBRARY): what the loader knows LIBRARY by: the
dnl name that a program which makes the CALL asks for; nothing where that cannot be linked or seen.
AC_DEFUN([SLUBBENCH_SONAME], [
  AC_MSG_CHECKING([for the soname of $6])
  slubbench_cflags=$CFLAGS slubbench_libs=$LIBS
  CFLAGS="$CFLAGS $2" LIBS="$3 $LIBS" $1=
  AC_LINK_IFELSE([AC_LANG_PROGRAM([#include <$4>], [return $5;])],
    [$1=$($OBJDUMP -p conftest$ac_exeext 2>/dev/null | $AWK '$[]1 == "NEEDED" && $[]2 ~ /^$6\./ { print $[]2 }')])
  CFLAGS=$slubbench_cflags LIBS=$slubbench_libs
  AC_MSG_RESULT([${$1:-not found}])
])
