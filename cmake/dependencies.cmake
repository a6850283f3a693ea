# dependencies.cmake: the outside libraries behind one target, plait::dependencies. Nothing here is GPL.
#
# Used twice: by our own build, and (installed beside the package file) by programs that link the static library.
# On return plait_missing lists what was not found; the target exists if the list is empty.

set(plait_missing)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    # Debian calls the serial build hdf5-serial; elsewhere it is hdf5.
    pkg_search_module(PLAIT_HDF5 QUIET IMPORTED_TARGET hdf5-serial hdf5)
    pkg_check_modules(PLAIT_LAPACKE QUIET IMPORTED_TARGET lapacke)
    pkg_search_module(PLAIT_BLAS QUIET IMPORTED_TARGET openblas blas)
    pkg_check_modules(PLAIT_YAML QUIET IMPORTED_TARGET yaml-0.1)
    pkg_check_modules(PLAIT_PNG QUIET IMPORTED_TARGET libpng)
    pkg_check_modules(PLAIT_ZLIB QUIET IMPORTED_TARGET zlib)
    foreach(module HDF5 LAPACKE BLAS YAML PNG ZLIB)
        if(NOT PLAIT_${module}_FOUND)
            list(APPEND plait_missing ${module})
        endif()
    endforeach()
else()
    list(APPEND plait_missing pkg-config)
endif()

# MUMPS has no pkg-config file. The sequential build brings its own one-process MPI; a real mpi.h must not be taken.
find_path(PLAIT_MUMPS_INCLUDE dmumps_c.h)
find_path(PLAIT_MPISEQ_INCLUDE mpi.h HINTS ${PLAIT_MUMPS_INCLUDE} PATH_SUFFIXES mumps_seq NO_DEFAULT_PATH)
set(plait_mumps_libraries)
foreach(name dmumps_seq mumps_common_seq pord_seq mpiseq_seq)
    find_library(PLAIT_${name} ${name})
    list(APPEND plait_mumps_libraries ${PLAIT_${name}})
endforeach()
if(NOT PLAIT_MUMPS_INCLUDE OR NOT PLAIT_MPISEQ_INCLUDE OR plait_mumps_libraries MATCHES "NOTFOUND")
    list(APPEND plait_missing "sequential MUMPS")
endif()
mark_as_advanced(PLAIT_MUMPS_INCLUDE PLAIT_MPISEQ_INCLUDE PLAIT_dmumps_seq PLAIT_mumps_common_seq PLAIT_pord_seq
                 PLAIT_mpiseq_seq)

# Embree 3 or 4, to trace rays at curves.
find_path(PLAIT_EMBREE_INCLUDE NAMES embree4/rtcore.h embree3/rtcore.h)
find_library(PLAIT_EMBREE NAMES embree4 embree3)
if(NOT PLAIT_EMBREE_INCLUDE OR NOT PLAIT_EMBREE)
    list(APPEND plait_missing Embree)
endif()
mark_as_advanced(PLAIT_EMBREE_INCLUDE PLAIT_EMBREE)

if(NOT plait_missing AND NOT TARGET plait::dependencies)
    add_library(plait::common INTERFACE IMPORTED) # all but MUMPS, which goes with an MPI
    target_include_directories(plait::common INTERFACE ${PLAIT_EMBREE_INCLUDE})
    target_link_libraries(plait::common INTERFACE
        PkgConfig::PLAIT_HDF5 PkgConfig::PLAIT_LAPACKE PkgConfig::PLAIT_BLAS PkgConfig::PLAIT_YAML PkgConfig::PLAIT_PNG
        PkgConfig::PLAIT_ZLIB ${PLAIT_EMBREE} m)
    add_library(plait::dependencies INTERFACE IMPORTED)
    target_include_directories(plait::dependencies INTERFACE ${PLAIT_MUMPS_INCLUDE} ${PLAIT_MPISEQ_INCLUDE})
    target_link_libraries(plait::dependencies INTERFACE plait::common ${plait_mumps_libraries} m)
endif()
