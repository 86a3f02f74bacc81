package im.zonda.app.abuse;

import im.zonda.testkit.xml.HostileStanzas;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Stanzas of nearly the largest size that take megabytes if they are written again carelessly, for
/// all that keeps or passes on what it gets: accounts that are away, contacts, rooms, nodes.
final class GrowingStanzas implements Abuse {
  private static final int BYTES = 250_000;

  @Override
  public void run(AbuseRun run) throws Exception {
    List<String> payloads =
        List.of(
            HostileStanzas.growing("x".repeat(900), BYTES),
            HostileStanzas.growing("'".repeat(900), BYTES),
            cdata());
    int accounts = run.accounts();
    AtomicInteger rooms = new AtomicInteger();
    run.repeat(
        run.size(400, 24),
        i -> {
          Abuser abuser = run.login(i % accounts, "growing" + i / accounts);
          String victim = SmallServer.abuser((i + 1) % accounts);
          String room = "growing" + rooms.incrementAndGet() + "@rooms." + SmallServer.DOMAIN;
          abuser.send("<presence to='" + room + "/me'/>");
          for (String payload : payloads) {
            abuser.send("<message type='chat' to='" + victim + "'" + payload + "</message>");
            abuser.send("<message type='groupchat' to='" + room + "'" + payload + "</message>");
            abuser.send("<presence" + payload + "</presence>");
            abuser.send("<presence type='subscribe' to='" + victim + "'" + payload + "</presence>");
          }
          abuser.fence(SmallServer.DOMAIN);
          abuser.discardInput();
        });
  }

  private static String cdata() {
    return " odd='1'><body><![CDATA[" + "&".repeat(BYTES) + "]]></body>";
  }
}
