/*
 * Intercepts the calls that a program uses to change files below a folder. It either records them,
 * so that we can reconstruct the disks that a power cut might leave behind, or makes a chosen call
 * fail. Loaded with LD_PRELOAD.
 *
 *   SHIM_ROOT     absolute path of the folder; everything else is ignored
 *   SHIM_RECORD   file to record into; nothing is recorded if it is not set
 *   SHIM_CONTROL  file that sets faults while the program runs (struct control)
 *
 * Each call and its record share a lock, so the records are in the same order as the calls.
 * LD_PRELOAD is unset immediately, so that the program's child processes are not watched.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, SYNC_FOLDER, RENAME, UNLINK, MKDIR, RMDIR, MARK };

struct header {
  uint32_t kind, file;
  uint64_t offset;
  uint32_t length, length2;
};

/* Shared with the process that sets faults. `at` is the number of the failing call, starting at 1. */
struct control {
  uint32_t at;     /* 0: none */
  uint32_t error;  /* errno; 0 with `half`: a short write and no error */
  uint32_t half;   /* 1: half of a write is done before the error */
  uint32_t lasts;  /* 1: every call from `at` on fails, until `at` is 0 again */
  uint32_t calls;  /* calls so far; reset to 0 by the process that sets faults */
  uint32_t failed; /* calls that failed */
};

#define FILES 65536
static int file_of[FILES];               /* by descriptor; 0: not watched */
static char is_folder[FILES], is_marks[FILES];
static char *folder_of[FILES];
static struct { ino_t inode; int file; } known[FILES];
static int files, watching;
static char root[PATH_MAX];
static size_t root_length;
static int record = -1;
static struct control *control;
static pthread_mutex_t lock;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_fsync)(int);
static int (*real_ftruncate)(int, off_t);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_unlinkat)(int, const char *, int);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_rmdir)(const char *);

__attribute__((constructor)) static void begin(void) {
  real_open = dlsym(RTLD_NEXT, "open64");
  real_openat = dlsym(RTLD_NEXT, "openat64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  real_unlinkat = dlsym(RTLD_NEXT, "unlinkat");
  real_mkdir = dlsym(RTLD_NEXT, "mkdir");
  real_rmdir = dlsym(RTLD_NEXT, "rmdir");
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
  unsetenv("LD_PRELOAD");
  const char *folder = getenv("SHIM_ROOT"), *to = getenv("SHIM_RECORD");
  const char *orders = getenv("SHIM_CONTROL");
  if (!folder) return;
  snprintf(root, sizeof root, "%s", folder);
  root_length = strlen(root);
  if (to) record = real_open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (orders) {
    int fd = real_open(orders, O_RDWR | O_CLOEXEC);
    control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (control == MAP_FAILED) abort();
    real_close(fd);
  }
  watching = 1;
}

static void put(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t written = real_write(record, at, length);
    if (written < 0) abort();
    at += written;
    length -= written;
  }
}

static void note(uint32_t kind, int file, uint64_t offset, const void *one, size_t length,
                 const void *two, size_t length2) {
  if (record < 0) return;
  struct header header = {kind, file, offset, length, length2};
  put(&header, sizeof header);
  put(one, length);
  put(two, length2);
}

static void note_path(uint32_t kind, int file, const char *path, const char *to) {
  const char *one = path + root_length, *two = to ? to + root_length : "";
  note(kind, file, 0, one, strlen(one), two, to ? strlen(two) : 0);
}

/* Returns the absolute path, or NULL if it is outside the folder. */
static const char *ours(int folder, const char *path, char *into) {
  if (!watching || !path) return NULL;
  if (path[0] == '/') snprintf(into, PATH_MAX, "%s", path);
  else {
    char link[64], base[PATH_MAX / 2];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length < 0) return NULL;
    base[length] = 0;
    snprintf(into, PATH_MAX, "%s/%s", base, path);
  }
  if (strncmp(into, root, root_length) != 0) return NULL;
  if (into[root_length] != '/' && into[root_length] != 0) return NULL;
  size_t end = strlen(into);
  if (end > 4 && strcmp(into + end - 4, "-shm") == 0) return NULL; /* created again at every opening */
  return into;
}

/* Returns 0 to continue, -1 to fail with errno, 1 to do half of the call and then fail if errno is set. */
static int fault(void) {
  if (!control) return 0;
  uint32_t call = ++control->calls;
  if (control->at == 0 || call < control->at) return 0;
  if (call > control->at && !control->lasts) return 0;
  control->failed++;
  errno = control->error;
  return control->half ? 1 : -1;
}

/* Returns the same for a call that can't be half done. */
static int refused(void) {
  int failing = fault();
  if (failing != 1 || errno != 0) return failing;
  control->failed--;
  return 0;
}

static int file_at(int fd, const char *path, int created) {
  struct stat found;
  fstat(fd, &found);
  int free = -1;
  for (int index = 0; index < files; index++) {
    if (known[index].inode != found.st_ino) continue;
    if (!created) return known[index].file;
    free = index; /* slot of a deleted file whose inode is reused */
  }
  if (free < 0) free = files < FILES ? files : (abort(), 0);
  static int last;
  known[free].inode = found.st_ino;
  known[free].file = ++last;
  if (free == files) files++;
  if (created) note_path(CREATE, last, path, NULL);
  return last;
}

static int opened(int fd, const char *path, int flags, int created, int existed) {
  if (fd < 0 || fd >= FILES) return fd;
  struct stat found;
  fstat(fd, &found);
  is_folder[fd] = S_ISDIR(found.st_mode);
  is_marks[fd] = 0;
  if (is_folder[fd]) {
    free(folder_of[fd]);
    folder_of[fd] = strdup(path);
    file_of[fd] = -1;
    return fd;
  }
  size_t end = strlen(path);
  if (end > 6 && strcmp(path + end - 6, "/marks") == 0) {
    is_marks[fd] = 1;
    file_of[fd] = -1;
    return fd;
  }
  file_of[fd] = file_at(fd, path, created);
  if (existed && (flags & O_TRUNC)) note(TRUNCATE, file_of[fd], 0, "", 0, "", 0);
  return fd;
}

static int open_in(int folder, const char *path, int flags, mode_t mode) {
  char into[PATH_MAX];
  const char *mine = ours(folder, path, into);
  if (!mine) return real_openat(folder, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat found;
  int existed = stat(mine, &found) == 0, makes = (flags & O_CREAT) && !existed, fd = -1;
  if (!makes || refused() == 0) fd = opened(real_openat(folder, path, flags, mode), mine, flags, makes, existed);
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return fd;
}

#define MODE                                   \
  mode_t mode = 0;                             \
  if (flags & (O_CREAT | __O_TMPFILE)) {       \
    va_list rest;                              \
    va_start(rest, flags);                     \
    mode = va_arg(rest, mode_t);               \
    va_end(rest);                              \
  }

int open64(const char *path, int flags, ...) { MODE return open_in(AT_FDCWD, path, flags, mode); }
int open(const char *path, int flags, ...) { MODE return open_in(AT_FDCWD, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return open_in(folder, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return open_in(folder, path, flags, mode); }

int close(int fd) {
  if (fd >= 0 && fd < FILES && file_of[fd]) {
    pthread_mutex_lock(&lock);
    file_of[fd] = 0;
    pthread_mutex_unlock(&lock);
  }
  return real_close(fd);
}

static int duplicated(int from, int to) {
  if (to < 0 || to >= FILES || from < 0 || from >= FILES || !file_of[from]) return to;
  pthread_mutex_lock(&lock);
  file_of[to] = file_of[from];
  is_folder[to] = is_folder[from];
  is_marks[to] = is_marks[from];
  free(folder_of[to]);
  folder_of[to] = is_folder[from] ? strdup(folder_of[from]) : NULL;
  pthread_mutex_unlock(&lock);
  return to;
}
int dup(int fd) { return duplicated(fd, syscall(SYS_dup, fd)); }
int fcntl64(int fd, int order, ...) {
  va_list rest;
  va_start(rest, order);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  int result = syscall(SYS_fcntl, fd, order, argument);
  return order == F_DUPFD || order == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result;
}
int fcntl(int fd, int order, ...) {
  va_list rest;
  va_start(rest, order);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl64(fd, order, argument);
}

static int mine(int fd) { return watching && fd >= 0 && fd < FILES && file_of[fd] != 0; }

static ssize_t write_at(int fd, const void *bytes, size_t length, off_t offset, int here) {
  pthread_mutex_lock(&lock);
  ssize_t written = -1;
  if (is_marks[fd]) {
    note(MARK, 0, 0, bytes, length, "", 0);
    written = length;
  } else {
    int failing = fault(), error = errno;
    if (failing == 1) length = (length + 1) / 2;
    if (failing >= 0) {
      if (here) offset = (fcntl(fd, F_GETFL) & O_APPEND) ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
      written = here ? real_write(fd, bytes, length) : real_pwrite(fd, bytes, length, offset);
      if (written > 0) note(WRITE, file_of[fd], offset, bytes, written, "", 0);
      if (failing == 0) error = errno;
    }
    if (failing == 1 && error != 0) written = -1;
    errno = error;
  }
  int error = errno;
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

ssize_t write(int fd, const void *bytes, size_t length) {
  return mine(fd) ? write_at(fd, bytes, length, 0, 1) : real_write(fd, bytes, length);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return mine(fd) ? write_at(fd, bytes, length, offset, 0) : real_pwrite(fd, bytes, length, offset);
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return pwrite64(fd, bytes, length, offset);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!mine(fd)) return syscall(SYS_writev, fd, parts, count);
  ssize_t total = 0;
  for (int index = 0; index < count; index++) {
    ssize_t written = write(fd, parts[index].iov_base, parts[index].iov_len);
    if (written < 0) return total > 0 ? total : -1;
    total += written;
    if ((size_t)written < parts[index].iov_len) break;
  }
  return total;
}

static int sync_file(int fd) {
  if (!mine(fd)) return real_fsync(fd);
  pthread_mutex_lock(&lock);
  int done = refused() == 0 ? 0 : -1, error = errno;
  if (done == 0 && is_folder[fd]) note_path(SYNC_FOLDER, 0, folder_of[fd], NULL);
  else if (done == 0) note(SYNC, file_of[fd], 0, "", 0, "", 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}
int fsync(int fd) { return sync_file(fd); }
int fdatasync(int fd) { return sync_file(fd); }

int ftruncate64(int fd, off64_t size) {
  if (!mine(fd)) return real_ftruncate(fd, size);
  pthread_mutex_lock(&lock);
  int done = refused() == 0 ? real_ftruncate(fd, size) : -1, error = errno;
  if (done == 0) note(TRUNCATE, file_of[fd], size, "", 0, "", 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* Rejects calls that can't be watched. The callers fall back to writing. */
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t length, unsigned flags) {
  if (mine(to)) return errno = ENOSYS, -1;
  return syscall(SYS_copy_file_range, from, at, to, there, length, flags);
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) {
  if (mine(to)) return errno = EINVAL, -1;
  return syscall(SYS_sendfile, to, from, at, length);
}

#define CALL(kind, path_, to_, do_)                                \
  char into[PATH_MAX];                                             \
  const char *from = ours(AT_FDCWD, path_, into);                  \
  if (!from) return do_;                                           \
  pthread_mutex_lock(&lock);                                       \
  int done = refused() == 0 ? do_ : -1, error = errno;               \
  if (done == 0) note_path(kind, 0, from, to_);                    \
  pthread_mutex_unlock(&lock);                                     \
  errno = error;                                                   \
  return done;

int unlink(const char *path) { CALL(UNLINK, path, NULL, real_unlink(path)) }
int rmdir(const char *path) { CALL(RMDIR, path, NULL, real_rmdir(path)) }
int mkdir(const char *path, mode_t mode) {
  char made[PATH_MAX];
  struct stat found;
  const char *new = ours(AT_FDCWD, path, made);
  /* Creating a folder that exists changes nothing. */
  if (new && stat(new, &found) == 0) return real_mkdir(path, mode);
  CALL(MKDIR, path, NULL, real_mkdir(path, mode))
}
int rename(const char *old, const char *new) {
  char other[PATH_MAX];
  const char *to = ours(AT_FDCWD, new, other);
  if (!to) return real_rename(old, new);
  CALL(RENAME, old, to, real_rename(old, new))
}
int unlinkat(int folder, const char *path, int flags) {
  char gone[PATH_MAX];
  const char *path_ = ours(folder, path, gone);
  if (!path_) return real_unlinkat(folder, path, flags);
  CALL((flags & AT_REMOVEDIR) ? RMDIR : UNLINK, path_, NULL, real_unlinkat(folder, path, flags))
}
