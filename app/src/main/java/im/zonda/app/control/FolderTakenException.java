package im.zonda.app.control;

import java.io.IOException;
import java.nio.file.Path;

/// Another process uses the data folder.
public final class FolderTakenException extends IOException {
  private static final long serialVersionUID = 1;

  /// The folder is in use by the process `pid`.
  public FolderTakenException(Path folder, String pid) {
    super("the data folder " + folder + " is in use by process " + pid);
  }
}
