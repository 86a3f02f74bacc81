package im.zonda.config;

import im.zonda.config.annotation.Setting;
import im.zonda.config.annotation.Setting.Form;
import java.time.Duration;

/// Files that the accounts of a virtual host upload by HTTP (XEP-0363).
public record Uploads(
    @Setting(
            "whether accounts may upload files; it needs HTTP with TLS, and in a cluster"
                + " `storage.files`")
        boolean enabled,
    @Setting("prefix of the upload service's domain: `upload` gives `upload.example.org`")
        String prefix,
    @Setting(
            value = "maximum size of one file",
            form = Form.BYTES,
            min = 1,
            max = 1_099_511_627_776L)
        long fileBytes,
    @Setting(
            value =
                "maximum size of all files of one account; above it the oldest are removed, but none"
                    + " of the last 24 hours",
            form = Form.BYTES,
            min = 1,
            max = Long.MAX_VALUE)
        long accountBytes,
    @Setting(
            value =
                "maximum size of all files that one account uploads in 24 hours; further ones are"
                    + " rejected",
            form = Form.BYTES,
            min = 1,
            max = Long.MAX_VALUE)
        long dayBytes,
    @Setting(
            value =
                "maximum number of files that one account uploads in 24 hours; further ones are"
                    + " rejected",
            min = 1,
            max = 1_000_000)
        int dayFiles,
    @Setting(value = "time after which files are removed; 0 is never", max = 3_155_760_000_000L)
        Duration keep,
    @Setting(
            value =
                "maximum number of uploads that one account makes at once; further ones are rejected",
            min = 1,
            max = 1_000)
        int simultaneousPerAccount,
    @Setting(
            value =
                "maximum number of uploads at once, of all accounts of a host; further ones are"
                    + " rejected",
            min = 1,
            max = 100_000)
        int simultaneous) {
  /// Files of up to 100 MiB for 30 days.
  public static final Uploads DEFAULTS =
      new Uploads(
          true,
          "upload",
          104_857_600,
          2_147_483_648L,
          1_073_741_824,
          1_000,
          Duration.ofDays(30),
          4,
          64);

  /// The maximum size of one file that fits all limits.
  public long maxFileBytes() {
    return Math.min(fileBytes, Math.min(accountBytes, dayBytes));
  }
}
