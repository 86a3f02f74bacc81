package im.zonda.app.abuse;

import im.zonda.testkit.client.ScriptedClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Wrong passwords by SCRAM and by PLAIN, for accounts that exist and such that do not, each on a
/// new connection.
final class FailedLogins implements Abuse {
  @Override
  public void run(AbuseRun run) throws Exception {
    Map<String, byte[]> keys = new ConcurrentHashMap<>();
    run.repeat(
        run.size(10_000, 100),
        i -> {
          String user = i % 2 == 0 ? "a" + i % 50 : "nobody" + i;
          Abuser abuser = run.connect().open();
          try {
            if (i % 4 < 2) {
              abuser.authenticate(user, "wrong", keys);
            } else {
              plain(abuser, user);
            }
          } finally {
            run.drop(abuser);
          }
        });
  }

  private static void plain(Abuser abuser, String user) throws IOException {
    byte[] message = ("\0" + user + "\0wrong").getBytes(StandardCharsets.UTF_8);
    abuser.send(
        "<auth xmlns='"
            + ScriptedClient.SASL
            + "' mechanism='PLAIN'>"
            + Base64.getEncoder().encodeToString(message)
            + "</auth>");
    abuser.await("</success>");
  }
}
