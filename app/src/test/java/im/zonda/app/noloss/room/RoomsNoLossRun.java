package im.zonda.app.noloss.room;

import im.zonda.app.noloss.KilledServer;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.StanzaIds;
import im.zonda.store.Stores;
import im.zonda.testkit.history.RoomLedger.Said;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.xml.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// One run: people talk in a room while the server under them is killed and started again; in the
/// end what they remember is compared with what the room has.
final class RoomsNoLossRun {
  private static final int PAGE = 5_000;

  private final Path folder;
  private final int lives;
  private final boolean durable;
  private final SplittableRandom random;

  /// A run that writes into that folder, which must be empty.
  ///
  /// @param lives how often the server is ended in the midst of it; every third time in the proper
  ///   way
  RoomsNoLossRun(Path folder, int lives, boolean durable, long seed) {
    this.folder = folder;
    this.lives = lives;
    this.durable = durable;
    this.random = new SplittableRandom(seed);
  }

  /// Runs from the first start to the judgement.
  RoomTalk.Result run() throws IOException, InterruptedException {
    try (KilledServer server = new KilledServer(folder, durable, "")) {
      server.addAccounts(RoomTalk.accounts());
      server.start();
      RoomTalk talk = RoomTalk.atOneServer(server.lives(), random.split());
      talk.start();
      disturb(server, talk);
      talk.finish();
      // Whatever was acknowledged up to the last moment.
      server.kill();
      List<Said> kept = archive();
      server.start();
      RoomTalk.Result result = talk.judge();
      if (!kept.equals(result.archive())) {
        talk.violated("the archive is told otherwise than it is on the disk");
      }
      server.errors().stream().limit(10).forEach(talk::violated);
      return result;
    }
  }

  private void disturb(KilledServer server, RoomTalk talk)
      throws IOException, InterruptedException {
    for (int life = 0; life < lives; life++) {
      if (!server.lives(random.nextLong(600, 1_500))) {
        talk.violated("the server has died by itself");
      }
      if (life % 3 == 1 && !server.stop()) {
        talk.violated("the server does not stop");
      } else {
        server.kill();
      }
      server.start();
    }
  }

  /// The room's archive as it is on the disk.
  private List<Said> archive() {
    ServerConfig config = ServerConfig.defaults(List.of(NoLossPlan.DOMAIN), folder.resolve("data"));
    List<Said> all = new ArrayList<>();
    try (Stores stores =
        SqlStores.open(
            folder.resolve("data"), config.storage(), config.limits(), InstantSource.system())) {
      long from = Long.MIN_VALUE;
      MessageArchive.Page page;
      do {
        page =
            stores
                .archive()
                .page(
                    Jid.of(RoomRunState.ROOM),
                    new MessageArchive.Filter(null, from, Long.MAX_VALUE, null, null),
                    new MessageArchive.Portion(false, PAGE, Long.MAX_VALUE));
        for (MessageLog.Entry entry : page.entries()) {
          from = entry.id() + 1;
          if (entry.message().hasBody()) {
            Element stanzaId = Objects.requireNonNull(entry.message().payload(StanzaIds.NAME));
            all.add(
                new Said(
                    String.valueOf(stanzaId.attribute("id")),
                    String.valueOf(entry.message().id())));
          }
        }
      } while (!page.complete());
    }
    return all;
  }
}
