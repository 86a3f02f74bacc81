package im.zonda.app.backup.command;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.storage.sql.BackupListener.Stage;
import im.zonda.storage.sql.BackupListener.Unit;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BackupOutputTest {
  private final StringWriter text = new StringWriter();
  private Instant now = Instant.EPOCH;

  @Test
  void eachStageIsShownWithItsUnit() {
    try (BackupOutput output = new BackupOutput(new PrintWriter(text, true), false, () -> now)) {
      show(output, Stage.DATABASE, 0, 0, Unit.ROWS);
      show(output, Stage.DATABASE, 1_500, 3_000, Unit.ROWS);
      show(output, Stage.FILES, 1, 4, Unit.FILES);
      show(output, Stage.CHECK, 1 << 20, 1 << 21, Unit.BYTES);
    }
    assertThat(text.toString())
        .isEqualTo(
            """
            database
            database: 1,500 of 3,000 rows (50 %)
            uploaded files: 1 of 4 (25 %)
            verifying: 1024 KiB of 2048 KiB (50 %)
            """);
  }

  private void show(BackupOutput output, Stage stage, long done, long all, Unit unit) {
    output.advanced(stage, done, all, unit);
    now = now.plusSeconds(6);
  }
}
