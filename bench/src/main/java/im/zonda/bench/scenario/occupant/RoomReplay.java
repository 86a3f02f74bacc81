package im.zonda.bench.scenario.occupant;

import im.zonda.bench.load.Load;
import im.zonda.bench.load.Ramp;
import im.zonda.bench.load.Waiting;
import im.zonda.bench.trace.EventKind;
import im.zonda.bench.trace.Trace;
import im.zonda.bench.trace.Trace.Session;
import im.zonda.bench.trace.Trace.Stay;
import im.zonda.bench.xmpp.ClientLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Repeats a trace over the sockets of this process: logs in and enters the rooms those who are in
/// at its beginning, then does what each player did, when it was due. Each process has the whole
/// trace and runs its own players.
public final class RoomReplay {
  private static final int LOGINS_AT_A_TIME = 40;
  private static final int ENTRIES_AT_A_TIME = 40;
  private static final int CUT_SECONDS = 10;
  private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture("");
  private static final Comparator<Moment> BY_TIME =
      Comparator.comparingLong(Moment::millis).thenComparing(Moment::kind);

  /// How a trace is repeated.
  ///
  /// @param service the domain of the rooms before that of the host
  /// @param history how many messages a room sends to one who enters
  /// @param form settings of new rooms by the names of their fields (XEP-0045, section 10.2); empty
  ///   for the usual ones
  /// @param lead seconds of the trace before the measured part
  /// @param seconds the length of the measured part
  /// @param drain seconds at the end for what has not arrived
  public record Settings(
      String service,
      int history,
      Map<String, String> form,
      double lead,
      double seconds,
      double drain) {}

  private final Load load;
  private final Settings settings;
  private final Stage stage;
  private final Map<Integer, Occupant> players = new TreeMap<>();

  /// @param extraTag another tag for the copies of a message, by its number; null for none
  public RoomReplay(
      Load load, Trace trace, Settings settings, IntFunction<@Nullable String> extraTag) {
    this.load = load;
    this.settings = settings;
    this.stage =
        new Stage(
            load,
            new Timetable(trace),
            new Hosts(load, settings.service()),
            settings.history(),
            settings.form(),
            extraTag);
    for (int player = 0; player < trace.players().size(); player++) {
      if (load.isMine(player)) {
        players.put(player, new Occupant(stage, player));
      }
    }
  }

  /// Repeats the trace.
  ///
  /// @throws IOException if a player cannot log in or enter before the beginning
  public void run() throws IOException, InterruptedException {
    try {
      gather();
      perform();
      long _ = load.phase("drain");
      drain();
      long _ = load.phase("logout");
    } finally {
      cut();
    }
  }

  /// Resets all connections, and waits until that is done: the loops end soon.
  private void cut() throws InterruptedException {
    CountDownLatch left = new CountDownLatch(players.size());
    players
        .values()
        .forEach(player ->
            player
                .loop()
                .execute(() -> {
                  player.cut();
                  left.countDown();
                }));
    boolean _ = left.await(CUT_SECONDS, TimeUnit.SECONDS);
  }

  private Occupant player(int number) {
    Occupant player = players.get(number);
    if (player == null) {
      throw new IllegalArgumentException("player " + number + " is not of this process");
    }
    return player;
  }

  private void gather() throws IOException, InterruptedException {
    Trace trace = stage.timetable().trace();
    List<Session> sessions = trace.sessions().stream().filter(each -> each.from() == 0).toList();
    long _ = load.phase("login");
    new Ramp(load, LOGINS_AT_A_TIME)
        .each(
            sessions.stream().filter(each -> load.isMine(each.player())).toList(),
            sessions.size(),
            "players log in",
            session -> later(session.player(), player -> player.logIn(session, now())));
    List<Stay> first = new ArrayList<>();
    List<Stay> others = new ArrayList<>();
    boolean[] known = new boolean[trace.rooms().size()];
    for (Stay stay : trace.stays()) {
      if (stay.from() == 0) {
        (known[stay.room()] ? others : first).add(stay);
        known[stay.room()] = true;
      }
    }
    long _ = load.phase("rooms");
    enter(first, "rooms are made");
    long _ = load.phase("enter");
    enter(others, "players enter rooms");
  }

  private void enter(List<Stay> stays, String what) throws IOException, InterruptedException {
    new Ramp(load, ENTRIES_AT_A_TIME)
        .each(
            stays.stream().filter(each -> load.isMine(each.player())).toList(),
            stays.size(),
            what,
            stay -> later(stay.player(), player -> player.enter(stay, now())));
  }

  private static long now() {
    return System.nanoTime();
  }

  private interface Step {
    CompletableFuture<?> take(Occupant player);
  }

  /// Does something on the loop of a player.
  private CompletableFuture<Void> later(int number, Step step) {
    Occupant player = player(number);
    CompletableFuture<Void> done = new CompletableFuture<>();
    player
        .loop()
        .execute(() -> {
          try {
            var _ =
                step.take(player)
                    .whenComplete((_, failure) -> {
                      if (failure == null) {
                        done.complete(null);
                      } else {
                        done.completeExceptionally(failure);
                      }
                    });
          } catch (RuntimeException e) {
            // The one who waits must see it.
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  private void perform() throws InterruptedException {
    boolean warms = settings.lead() > 0;
    long begin = load.phase(warms ? "warm-up" : Load.MEASURE);
    stage.clock().begin(begin);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    moments().forEach((loop, moments) -> ends.add(pace(loop, moments)));
    if (warms) {
      Waiting.until(begin + (long) (settings.lead() * 1e9));
      begin = load.phase(Load.MEASURE);
    }
    long seconds = (long) Math.ceil(settings.seconds());
    for (long second = 1; second <= seconds; second++) {
      Waiting.until(begin + (long) (Math.min((double) second, settings.seconds()) * 1e9));
      load.progress(second, seconds, "seconds of the trace");
    }
    // A trace is as long as its parts; an action that failed is reported here.
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
  }

  private CompletableFuture<Void> pace(ClientLoop loop, List<Moment> moments) {
    int[] next = {0};
    return loop.pace(
        moments.stream().mapToLong(moment -> stage.clock().due(moment.millis())).iterator(),
        due -> act(moments.get(next[0]++), due));
  }

  private void act(Moment moment, long due) {
    Occupant player = player(moment.player());
    Timetable timetable = stage.timetable();
    switch (moment.kind()) {
      case LOGIN -> {
        var _ = player.logIn(timetable.sessions(moment.player()).get(moment.index()), due);
      }
      case LOGOUT -> player.logOut();
      case JOIN -> {
        var _ = player.enter(timetable.stays(moment.player()).get(moment.index()), due);
      }
      case LEAVE -> player.leave(timetable.stays(moment.player()).get(moment.index()));
      case SAY, DM -> player.say(moment.index());
      case NICK, IDLE -> throw new IllegalStateException("no such moment");
    }
  }

  /// What the players of this process do after the beginning, by loop, sorted.
  private Map<ClientLoop, List<Moment>> moments() {
    Timetable timetable = stage.timetable();
    long end = timetable.trace().millis();
    Map<ClientLoop, List<Moment>> byLoop = new HashMap<>();
    players.forEach((number, player) -> {
      List<Moment> own = byLoop.computeIfAbsent(player.loop(), _ -> new ArrayList<>());
      List<Session> sessions = timetable.sessions(number);
      for (int i = 0; i < sessions.size(); i++) {
        add(own, sessions.get(i).from(), EventKind.LOGIN, number, i, end);
        add(own, sessions.get(i).until(), EventKind.LOGOUT, number, i, end);
      }
      List<Stay> stays = timetable.stays(number);
      for (int i = 0; i < stays.size(); i++) {
        add(own, stays.get(i).from(), EventKind.JOIN, number, i, end);
        add(own, stays.get(i).until(), EventKind.LEAVE, number, i, end);
      }
    });
    List<Trace.Message> messages = timetable.trace().messages();
    for (int i = 0; i < messages.size(); i++) {
      Trace.Message said = messages.get(i);
      Occupant player = players.get(said.player());
      if (player != null) {
        byLoop
            .computeIfAbsent(player.loop(), _ -> new ArrayList<>())
            .add(
                new Moment(
                    said.millis(), said.direct() ? EventKind.DM : EventKind.SAY, said.player(), i));
      }
    }
    byLoop.values().forEach(moments -> moments.sort(BY_TIME));
    return byLoop;
  }

  private static void add(
      List<Moment> moments, long millis, EventKind kind, int player, int index, long end) {
    if (millis > 0 && millis < end) {
      moments.add(new Moment(millis, kind, player, index));
    }
  }

  /// Waits for copies that must arrive, and counts those that have not.
  private void drain() throws InterruptedException {
    CompletableFuture.allOf(
            players.keySet().stream()
                .map(number ->
                    later(
                        number,
                        player -> {
                          player.finish();
                          return DONE;
                        }))
                .toArray(CompletableFuture[]::new))
        .join();
    long expected = stage.expected().sum();
    boolean _ = Waiting.until(() -> stage.certain().sum() >= expected, settings.drain());
    load.counters().add(ReplayTags.EXPECTED, expected);
    load.counters().add(ReplayTags.LOST, expected - stage.certain().sum());
  }
}
