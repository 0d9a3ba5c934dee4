/* The system calls that can change files: CALL(number, what to look at before it, what to log when it has succeeded), both
 * of the thread `t`, its arguments `a` and the call's `result`. Calls that take a path without a folder are not there on
 * every machine. A call that only `unknown` stands for is one that the log has no record of. */
#define CWD AT_FDCWD
#define NOTHING (void)0
#define FD(n) (int)a[n]

#ifdef SYS_open
CALL(SYS_open,            enter_open(t, CWD, a[0]),                         put_opened(t, (int)result, a[1]))
CALL(SYS_creat,           enter_open(t, CWD, a[0]),                         put_opened(t, (int)result, O_WRONLY | O_CREAT | O_TRUNC))
CALL(SYS_mkdir,           find_place(t->id, CWD, a[0], &t->to),             put_made_folder(t))
CALL(SYS_rmdir,           find_place(t->id, CWD, a[0], &t->to),             put_place(t, "rmdir"))
CALL(SYS_unlink,          find_place(t->id, CWD, a[0], &t->to),             put_place(t, "unlink"))
CALL(SYS_mknod,           find_place(t->id, CWD, a[0], &t->to),             put_place(t, "unknown\tmknod"))
CALL(SYS_symlink,         find_place(t->id, CWD, a[1], &t->to),             put_place(t, "unknown\tsymlink"))
CALL(SYS_chmod,           find_place(t->id, CWD, a[0], &t->to),             put_place(t, "unknown\tchmod"))
CALL(SYS_link,            enter_link(t, CWD, a[0], CWD, a[1], 0),           put_link(t))
CALL(SYS_rename,          enter_rename(t, CWD, a[0], CWD, a[1]),            put_rename(t, 0))
#endif
#ifdef SYS_renameat
CALL(SYS_renameat,        enter_rename(t, FD(0), a[1], FD(2), a[3]),        put_rename(t, 0))
#endif
CALL(SYS_renameat2,       enter_rename(t, FD(0), a[1], FD(2), a[3]),        put_rename(t, a[4]))
CALL(SYS_openat,          enter_open(t, FD(0), a[1]),                       put_opened(t, (int)result, a[2]))
CALL(SYS_openat2,         NOTHING,                                          put_file(t, "openat2", (int)result))
CALL(SYS_linkat,          enter_link(t, FD(0), a[1], FD(2), a[3], a[4]),    put_link(t))
CALL(SYS_mkdirat,         find_place(t->id, FD(0), a[1], &t->to),           put_made_folder(t))
CALL(SYS_mknodat,         find_place(t->id, FD(0), a[1], &t->to),           put_place(t, "unknown\tmknodat"))
CALL(SYS_symlinkat,       find_place(t->id, FD(1), a[2], &t->to),           put_place(t, "unknown\tsymlinkat"))
CALL(SYS_unlinkat,        find_place(t->id, FD(0), a[1], &t->to),           put_place(t, a[2] & AT_REMOVEDIR ? "rmdir" : "unlink"))
CALL(SYS_fchmodat,        find_place(t->id, FD(0), a[1], &t->to),           put_place(t, "unknown\tfchmodat"))
CALL(SYS_truncate,        find_place(t->id, CWD, a[0], &t->to),             put_place(t, "unknown\ttruncate"))
CALL(SYS_write,           enter_write(t),                                   put_write(t, (size_t)result, false))
CALL(SYS_writev,          enter_write(t),                                   put_write(t, (size_t)result, true))
CALL(SYS_pwrite64,        t->offset = (int64_t)a[3],                        put_write(t, (size_t)result, false))
CALL(SYS_pwritev,         t->offset = (int64_t)a[3],                        put_write(t, (size_t)result, true))
CALL(SYS_pwritev2,        NOTHING,                                          put_file(t, "pwritev2", FD(0)))
CALL(SYS_ftruncate,       NOTHING,                                          put_file(t, "resize", FD(0)))
/* Without a mode it reserves space and may enlarge the file; others make holes. */
CALL(SYS_fallocate,       NOTHING,                                          put_file(t, a[1] == 0 ? "resize" : "fallocate", FD(0)))
CALL(SYS_fchmod,          NOTHING,                                          put_file(t, "mode", FD(0)))
CALL(SYS_fsync,           NOTHING,                                          put_file(t, "fsync", FD(0)))
CALL(SYS_fdatasync,       NOTHING,                                          put_file(t, "fdatasync", FD(0)))
CALL(SYS_sendfile,        NOTHING,                                          put_file(t, "sendfile", FD(0)))
CALL(SYS_copy_file_range, NOTHING,                                          put_file(t, "copy_file_range", FD(2)))
CALL(SYS_splice,          NOTHING,                                          put_file(t, "splice", FD(2)))
CALL(SYS_syncfs,          NOTHING,                                          put_file(t, "syncfs", FD(0)))
CALL(SYS_sync,            NOTHING,                                          put("unknown\tsync"))
CALL(SYS_io_uring_setup,  NOTHING,                                          put("unknown\tio_uring"))
CALL(SYS_mmap,            NOTHING,                                          put_mapping(t))

#undef CWD
#undef NOTHING
#undef FD
