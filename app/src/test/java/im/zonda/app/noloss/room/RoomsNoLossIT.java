package im.zonda.app.noloss.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// A room on the packaged server that is killed while people talk: whatever was acknowledged is in
/// the room's archive, everyone has heard its order, and the room is what it was.
///
/// More than the usual few lives: `-Dzonda.rooms.lives=100`; `-Dzonda.rooms.durable=false` shows
/// that losses are found.
class RoomsNoLossIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void nothingAcknowledgedInARoomIsLost() throws Exception {
    int lives = Integer.getInteger("zonda.rooms.lives", 3);
    boolean durable = !"false".equals(System.getProperty("zonda.rooms.durable"));
    RoomTalk.Result result =
        new RoomsNoLossRun(folder, lives, durable, Long.getLong("zonda.rooms.seed", 4711)).run();
    System.out.println("rooms no-loss: " + result.line());
    assertThat(result.violations().stream().limit(5)).as("%s", result.line()).isEmpty();
    assertThat(result.report().clean()).as("%s", result.line()).isTrue();
  }
}
