package im.zonda.app.abuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Stream headers that come byte by byte, each on its own connection.
final class SlowHeaders implements Abuse {
  @Override
  public void run(AbuseRun run) throws Exception {
    Queue<Abuser> abusers = new ConcurrentLinkedQueue<>();
    run.repeat(run.size(10_000, 1_000), i -> abusers.add(run.connect()));
    byte[] header = Abuser.header().getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < run.size(header.length - 1, 30); i++) {
      byte[] next = {header[i]};
      abusers.removeIf(abuser -> !takes(abuser, next));
    }
  }

  private static boolean takes(Abuser abuser, byte[] bytes) {
    try {
      abuser.send(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
