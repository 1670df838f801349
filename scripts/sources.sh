# The sources that clang-format formats.
sources() { find include lib tools tests fuzz bench examples python \( -name '*.cc' -o -name '*.h' \) -print 2>/dev/null; }
