/* Fails one call on files below a folder, the number FAULT_AT from 0: put before a program by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static _Atomic long calls;

static int fails(const char *path, const char *what, int error) {
  const char *folder = getenv("FAULT_FOLDER"), *at = getenv("FAULT_AT");
  if (!folder || !at || strncmp(path, folder, strlen(folder)) != 0 || calls++ != atol(at)) return 0;
  dprintf(2, "injected: %s %s\n", what, path);
  errno = error;
  return 1;
}

static int fails_on(int file, const char *what, int error) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(path, what, error);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

#define OPEN(name)                                                                            \
  int name(const char *path, int flags, ...) {                                                \
    REAL(name);                                                                               \
    va_list rest;                                                                             \
    va_start(rest, flags);                                                                    \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;                 \
    va_end(rest);                                                                             \
    char whole[4096];                                                                         \
    if (path[0] != '/' && getcwd(whole, sizeof whole - 1)) {                                  \
      strcat(whole, "/");                                                                     \
      strncat(whole, path, sizeof whole - strlen(whole) - 1);                                 \
    } else {                                                                                  \
      snprintf(whole, sizeof whole, "%s", path);                                              \
    }                                                                                         \
    if (fails(whole, "open", (flags & O_ACCMODE) == O_RDONLY ? EIO : ENOSPC)) return -1;      \
    return real(path, flags, mode);                                                           \
  }
OPEN(open)
OPEN(open64)

ssize_t read(int file, void *to, size_t size) {
  REAL(read);
  return fails_on(file, "read", EIO) ? -1 : real(file, to, size);
}

ssize_t write(int file, const void *from, size_t size) {
  REAL(write);
  return fails_on(file, "write", ENOSPC) ? -1 : real(file, from, size);
}

int fsync(int file) {
  REAL(fsync);
  return fails_on(file, "fsync", EIO) ? -1 : real(file);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  return fails(from, "rename", ENOSPC) ? -1 : real(from, to);
}
