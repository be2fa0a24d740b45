# cmake -DFOLDER=folder -P gzip_files.cmake: compresses its files without name and time, so that equal pages give equal bytes.
file(GLOB files "${FOLDER}/*")
execute_process(COMMAND gzip -9nf ${files} COMMAND_ERROR_IS_FATAL ANY)
