# dependencies.cmake: the outside libraries, gathered in one interface target. Nothing here is GPL.

find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)

# Debian calls the serial build hdf5-serial and keeps hdf5 for whatever is the default; others only have hdf5.
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
pkg_search_module(BLAS REQUIRED IMPORTED_TARGET openblas blas)

# MUMPS has no pkg-config file. The sequential build brings its own one-process MPI.
find_path(MUMPS_INCLUDE_DIR dmumps_c.h REQUIRED)
find_path(MUMPS_SEQ_INCLUDE_DIR mpi.h PATH_SUFFIXES mumps_seq mumps-seq NO_CMAKE_SYSTEM_PATH
          HINTS ${MUMPS_INCLUDE_DIR} REQUIRED)
set(MUMPS_LIBRARIES)
foreach(name dmumps_seq mumps_common_seq pord_seq mpiseq_seq)
    find_library(MUMPS_${name}_LIBRARY ${name} REQUIRED)
    list(APPEND MUMPS_LIBRARIES ${MUMPS_${name}_LIBRARY})
endforeach()

add_library(plait_dependencies INTERFACE)
target_include_directories(plait_dependencies SYSTEM INTERFACE ${MUMPS_INCLUDE_DIR} ${MUMPS_SEQ_INCLUDE_DIR})
target_link_libraries(plait_dependencies INTERFACE
    PkgConfig::HDF5 PkgConfig::LAPACKE PkgConfig::BLAS ${MUMPS_LIBRARIES} OpenMP::OpenMP_C m)
