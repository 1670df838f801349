# Writes RELEASED, the frozen releases of FOLDER one after the other, compressed by zstd.
file(GLOB files ${FOLDER}/*.tsv)
file(WRITE ${RELEASED}.txt "")
foreach(file ${files})
  file(READ ${file} text)
  file(APPEND ${RELEASED}.txt "${text}")
endforeach()
file(ARCHIVE_CREATE OUTPUT ${RELEASED} PATHS ${RELEASED}.txt FORMAT raw COMPRESSION Zstd COMPRESSION_LEVEL 9)
