package im.zonda.storage.sql.crash;

import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Keep;
import im.zonda.store.RoomStore.Affiliation;
import im.zonda.store.RoomStore.Room;
import im.zonda.store.RoomStore.Stored;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// The process that [RoomCrashTest] kills: creates rooms, changes them, stores messages for them
/// and removes them in a loop, and reports each step before and after it.
///
/// A room's settings are `life/change`: how often a room was created at this address, and how often
/// the current one was changed.
public final class CrashingRooms {
  private static final int THREADS = 4;
  private static final int ROOMS = 5;
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid NURSE = Jid.of("nurse@example.net");

  private final SqlStores stores;
  private final PrintStream out;
  private final int round;

  private CrashingRooms(SqlStores stores, PrintStream out, int round) {
    this.stores = stores;
    this.out = out;
    this.round = round;
  }

  /// All rooms that it works on.
  static List<Jid> rooms() {
    return IntStream.range(0, THREADS * ROOMS).mapToObj(CrashingRooms::room).toList();
  }

  private static Jid room(int number) {
    return Jid.of("room" + number + "@rooms.example.net");
  }

  /// What is stored of a room with these settings: all of it tells which change it is of.
  static Stored stored(Jid room, String settings) {
    List<Affiliation> affiliations = new ArrayList<>();
    for (Affiliation each : affiliations(settings)) {
      if (!each.affiliation().equals("none")) {
        affiliations.add(each);
      }
    }
    boolean even = isEven(settings);
    return new Stored(
        new Room(room, null, Instant.EPOCH, even, !even, "name " + settings, settings),
        affiliations);
  }

  /// The affiliations that a change gives, in the order of the users.
  private static List<Affiliation> affiliations(String settings) {
    return List.of(
        new Affiliation(JULIET, "owner", null, settings),
        new Affiliation(NURSE, isEven(settings) ? "member" : "none", null, settings),
        new Affiliation(ROMEO, "member", "Romeo", settings));
  }

  private static boolean isEven(String settings) {
    return change(settings) % 2 == 0;
  }

  private static int change(String settings) {
    return Integer.parseInt(settings.substring(settings.indexOf('/') + 1));
  }

  /// The life that such settings belong to.
  static String life(String settings) {
    return settings.substring(0, settings.indexOf('/'));
  }

  /// Runs until it is killed. Arguments: the data folder, and the round.
  public static void main(String[] arguments) throws Exception {
    try (SqlStores stores =
        SqlStores.open(
            Path.of(arguments[0]),
            new Storage(true, true, 1, 64),
            Limits.defaults(),
            InstantSource.system())) {
      CrashingRooms rooms = new CrashingRooms(stores, System.out, Integer.parseInt(arguments[1]));
      for (int i = 1; i < THREADS; i++) {
        int thread = i;
        Thread.startVirtualThread(() -> rooms.work(thread));
      }
      rooms.work(0);
    }
  }

  private void work(int thread) {
    Random random = new Random(round * 100L + thread);
    for (int i = 0; ; i++) {
      Jid room = room(thread * ROOMS + random.nextInt(ROOMS));
      Stored before = stores.rooms().find(room);
      if (before != null && random.nextInt(8) == 0) {
        change(room, "none", () -> stores.rooms().remove(room));
        continue;
      }
      String old = before == null ? round + "-" + i + "/0" : before.room().settings();
      String settings = life(old) + "/" + (change(old) + 1);
      Stored after = stored(room, settings);
      change(room, settings, () -> stores.rooms().save(after.room(), affiliations(settings)));
      for (int said = 0; said < 3; said++) {
        speak(room, settings + "/" + said);
      }
    }
  }

  private void change(Jid room, String settings, Runnable change) {
    out.println("trying " + room + " " + settings + " .");
    change.run();
    out.println("done " + room + " " + settings + " .");
  }

  private void speak(Jid room, String body) {
    stores
        .messages()
        .append(
            new MessageLog.Entry(
                room, stores.messages().nextId(), room, StoresContract.message(room, room, body)),
            Keep.ARCHIVE,
            false)
        .whenCommitted(() -> out.println("said " + room + " " + body + " ."));
  }
}
