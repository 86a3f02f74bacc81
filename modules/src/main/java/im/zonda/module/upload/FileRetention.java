package im.zonda.module.upload;

import im.zonda.file.FileContents;
import im.zonda.module.ModuleContext;
import im.zonda.store.UploadStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Removes files that are too old or have expired, and contents that no file has now: those of
/// removed accounts, and of uploads whose server was killed.
final class FileRetention {
  /// How long a content without a file is kept, because its upload may not have ended.
  static final Duration GRACE = Duration.ofHours(1);

  static final Duration FIRST = Duration.ofMinutes(1);
  static final Duration PERIOD = Duration.ofMinutes(10);

  private static final int PORTION = 500;

  private final ModuleContext context;
  private final UploadStore uploads;
  private final FileContents contents;

  FileRetention(ModuleContext context, UploadStore uploads, FileContents contents) {
    this.context = context;
    this.uploads = uploads;
    this.contents = contents;
  }

  /// Removes what is outdated. Blocks.
  void run() {
    Instant now = context.clock().instant();
    Duration keep = context.config().services().uploads().keep();
    Instant oldest = keep.isZero() ? Instant.EPOCH : now.minus(keep);
    List<String> outdated;
    do {
      outdated = uploads.outdated(context.domain().domain(), oldest, now, PORTION);
      uploads.remove(outdated);
    } while (outdated.size() == PORTION);
    contents.removeUnused(now.minus(GRACE), uploads::used);
  }
}
