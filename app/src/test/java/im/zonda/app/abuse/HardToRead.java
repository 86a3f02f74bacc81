package im.zonda.app.abuse;

import im.zonda.testkit.xml.HostileStanzas;
import java.util.SplittableRandom;

/// Stanzas whose written form is hard to read again, for all that keeps what it gets: accounts that
/// are away, contacts, sessions that are cut off or inactive, rooms.
final class HardToRead implements Abuse {
  private static final int STANZAS = 60;

  @Override
  public void run(AbuseRun run) throws Exception {
    int accounts = run.accounts();
    run.repeat(
        run.size(1_000, 15),
        i -> {
          SplittableRandom random = new SplittableRandom(i);
          Abuser reader = run.login(i % accounts, "reader" + i / accounts);
          reader.send("<enable xmlns='urn:xmpp:sm:3' resume='true'/><presence/>");
          reader.await("<enabled ");
          reader.send("<inactive xmlns='urn:xmpp:csi:0'/>");
          Abuser abuser = run.login((i + 1) % accounts, "writer" + i / accounts);
          abuser.discardInput();
          String session = SmallServer.abuser(i % accounts) + "/reader" + i / accounts;
          String account = SmallServer.abuser(i % accounts);
          String room = "hard" + i % 10 + "@rooms." + SmallServer.DOMAIN;
          abuser.send("<presence to='" + room + "/n" + i + "'/>");
          for (int stanza = 0; stanza < STANZAS; stanza++) {
            String to =
                switch (stanza % 4) {
                  case 0 -> " to='" + session + "'";
                  case 1 -> " to='" + account + "' type='chat'";
                  case 2 -> " to='" + room + "' type='groupchat'";
                  default -> " to='" + room + "/n" + i + "' type='chat'";
                };
            abuser.send(HostileStanzas.stanza(random, "message", to));
            abuser.send(HostileStanzas.stanza(random, "presence", ""));
            abuser.send(HostileStanzas.stanza(random, "presence", " to='" + session + "'"));
            if (stanza == STANZAS / 2) {
              run.drop(reader);
            }
          }
          abuser.send(
              HostileStanzas.stanza(random, "presence", " type='subscribe' to='" + account + "'"));
        });
  }
}
