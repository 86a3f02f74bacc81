package im.zonda.storage.sql.crash;

import im.zonda.storage.sql.TestDatabase;
import im.zonda.storage.sql.copy.DatabaseCopy;
import im.zonda.storage.sql.copy.PortionSize;
import java.nio.file.Path;

/// Copies the SQLite database in a folder to one in its folder `target`, in small portions, and
/// reports each. Runs in a process of its own.
public final class CrashingCopy {
  private CrashingCopy() {}

  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    new DatabaseCopy(
            TestDatabase.SQLITE.dialect(folder),
            TestDatabase.SQLITE.dialect(folder.resolve("target")),
            new PortionSize(7, 4_000),
            (step, table, done, all) -> System.out.println(step + " " + table + " " + done + " ."))
        .run();
    System.out.println("complete .");
  }
}
