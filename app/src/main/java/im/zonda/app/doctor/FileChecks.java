package im.zonda.app.doctor;

import im.zonda.app.finding.Finding;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Checks that others cannot read the data and the keys.
final class FileChecks {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private FileChecks() {}

  /// What is wrong with a file or folder; nothing if all is well.
  static List<Finding> check(FileFacts file) {
    Set<PosixFilePermission> permissions = file.permissions();
    if (permissions == null || !file.isReachable()) {
      return List.of();
    }
    if (permissions.contains(PosixFilePermission.GROUP_WRITE) && !isOpen(file, permissions)) {
      return List.of(
          Finding.warning(
              "file modes", "its group can change " + file.path(), "chmod g-w " + file.path()));
    }
    return isOpen(file, permissions)
        ? List.of(
            Finding.problem(
                "file modes",
                "every user of this machine can "
                    + (file.isFolder() ? "look into " : "read ")
                    + file.path(),
                "chmod o-rwx " + file.path()))
        : List.of();
  }

  /// A folder that can be entered but not read opens files whose names are known.
  private static boolean isOpen(FileFacts file, Set<PosixFilePermission> permissions) {
    return file.isFolder()
        ? permissions.stream().anyMatch(OTHERS::contains)
        : permissions.contains(PosixFilePermission.OTHERS_READ)
            || permissions.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /// All of them in one line if all is well.
  static List<Finding> all(List<FileFacts> files) {
    if (files.isEmpty()) {
      return List.of(Finding.ok("file modes", "there is no data folder yet"));
    }
    if (files.stream().allMatch(each -> each.permissions() == null)) {
      return List.of(Finding.unknown("file modes", "this filesystem has no permissions"));
    }
    List<Finding> findings = new ArrayList<>();
    files.forEach(each -> findings.addAll(check(each)));
    return findings.isEmpty()
        ? List.of(Finding.ok("file modes", "only the server's user can read data and keys"))
        : findings;
  }
}
