#!/bin/bash -eu
# Builds all fuzz targets into $OUT with the compiler, flags and engine of OSS-Fuzz, each with its kept corpus and its
# dictionary. Runs in the folder of the sources.

# Libraries of the distribution are built with libstdc++, and the machine that runs the targets has none of them.
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}

# Without a build type, $CXXFLAGS alone decides on optimization.
cmake -S . -B "$WORK/fuzz" -G Ninja -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
  -DCMAKE_EXE_LINKER_FLAGS="-static-libstdc++ -static-libgcc" -DSHLO_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
  -DSHLO_BUILD_FUZZERS=ON -DSHLO_BUILD_TESTS=OFF -DSHLO_BUILD_BENCH=OFF -DSHLO_WARNINGS_AS_ERRORS=OFF
cmake --build "$WORK/fuzz" --target fuzzers
cp "$WORK"/fuzz/bin/*_fuzz "$OUT/"
python3 fuzz/fuzz.py export "$OUT"
