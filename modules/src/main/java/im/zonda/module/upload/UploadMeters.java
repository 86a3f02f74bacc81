package im.zonda.module.upload;

import im.zonda.metric.Counter;
import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import im.zonda.metric.Reading;
import java.util.List;

/// Counters of the files of one host.
final class UploadMeters {
  static final Meter FILES =
      Meter.counter("zonda_uploads_total", "Files that were uploaded", Label.HOST);
  static final Meter BYTES =
      Meter.counter("zonda_upload_bytes_total", "Bytes of files that were uploaded", Label.HOST);

  private final Counter files = new Counter();
  private final Counter bytes = new Counter();

  /// Counts a file that was stored.
  void count(Slot slot) {
    files.increment();
    bytes.add(slot.size());
  }

  List<Reading> readings() {
    return List.of(FILES.by(files), BYTES.by(bytes));
  }
}
