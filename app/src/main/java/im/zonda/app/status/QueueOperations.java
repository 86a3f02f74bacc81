package im.zonda.app.status;

import im.zonda.home.HandlerTimes;
import im.zonda.home.HomeLoad;
import im.zonda.home.SlowReceivers;
import im.zonda.host.Federation;
import im.zonda.host.VirtualHost;
import im.zonda.host.XmppServer;
import im.zonda.jid.Jid;
import im.zonda.net.NetServer;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.storage.sql.SqlStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations that show what waits, who is paused, and who is slow. All is noted when it happens:
/// asking looks at no home and no session.
public final class QueueOperations {
  private static final int MOST_HANDLERS = 1_000;

  /// What waits.
  public record Queues(
      @Field("tasks that wait at homes") long tasks,
      @Field(value = "what waits for a commit", form = Form.BYTES) long logBytes,
      @Field(value = "what waits for clients to read", form = Form.BYTES) long networkBytes,
      @Field(value = "what clients have not acknowledged", form = Form.BYTES)
          long unacknowledgedBytes,
      @Field(value = "what waits for other servers", form = Form.BYTES) long remoteBytes,
      @Field("homes at which so much waits that streams are not read, the longest first")
          List<Crowded> crowded) {
    /// Copies the list.
    public Queues {
      crowded = List.copyOf(crowded);
    }
  }

  /// A home at which too much waits.
  public record Crowded(
      @Field(Field.NODE) @Nullable String node,
      @Field("the account or room") Jid home,
      @Field("tasks that wait there") int tasks,
      @Field("streams that are not read until half of it is done") int paused,
      @Field("since how long") Duration time) {}

  /// Slow receivers.
  public record Receivers(@Field("the sessions, the latest first") List<Receiver> receivers) {
    /// Copies the list.
    public Receivers {
      receivers = List.copyOf(receivers);
    }
  }

  /// A session whose client acknowledges late.
  public record Receiver(
      @Field(Field.NODE) @Nullable String node,
      @Field("the account") Jid account,
      @Field("the resource") String resource,
      @Field("how long the oldest stanza has waited at most") Duration age,
      @Field("stanzas that wait") int waiting,
      @Field(value = "their size", form = Form.BYTES) long bytes,
      @Field("how long ago it was late for the last time") Duration ago) {}

  /// Slow handlers.
  public record Handlers(
      @Field(value = "the handlers, what took most of the time first", max = MOST_HANDLERS)
          List<Handler> handlers) {
    /// Copies the list.
    public Handlers {
      handlers = List.copyOf(handlers);
    }
  }

  /// A handler that took longer than 10 ms.
  public record Handler(
      @Field(Field.NODE) @Nullable String node,
      @Field("the host") String host,
      @Field("the module") String module,
      @Field("the namespace of the requests, or the kind of stanzas that it filters")
          String handles,
      @Field("how many times; of filters one of 16 is measured") long count,
      @Field("the mean of these times, in ms") double mean,
      @Field("the longest, in ms") double longest,
      @Field("how long ago it was for the last time") Duration ago) {}

  /// `server.queues`.
  public static final Operation<Nothing, Queues> QUEUES =
      Operation.read("server.queues", Right.SERVER)
          .ofNodes()
          .at("GET /queues", "Say what waits and who is paused", Nothing.class, Queues.class);

  /// `server.slow-receivers`.
  public static final Operation<Nothing, Receivers> RECEIVERS =
      Operation.read("server.slow-receivers", Right.SERVER)
          .ofNodes()
          .at(
              "GET /queues/receivers",
              "List the sessions that acknowledge late",
              Nothing.class,
              Receivers.class);

  /// `server.slow-handlers`.
  public static final Operation<Nothing, Handlers> HANDLERS =
      Operation.read("server.slow-handlers", Right.SERVER)
          .ofNodes()
          .at(
              "GET /queues/handlers",
              "List the handlers of modules that took long",
              Nothing.class,
              Handlers.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(QUEUES, RECEIVERS, HANDLERS);

  private static final double MILLI = 1e6;

  private final XmppServer server;
  private final NetServer net;
  private final SqlStores database;

  /// What they tell about.
  public QueueOperations(XmppServer server, NetServer net, SqlStores database) {
    this.server = server;
    this.net = net;
    this.database = database;
  }

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        QUEUES.by((_, _) -> Outcome.done(queues())),
        RECEIVERS.by((_, _) -> Outcome.done(receivers())),
        HANDLERS.by((_, _) -> Outcome.done(handlers())));
  }

  private Queues queues() {
    HomeLoad load = server.router().homes().load();
    Federation federation = server.federation();
    return new Queues(
        load.waiting().sum(),
        database.health().queuedBytes(),
        net.stats().bytesWaiting(),
        server.router().sessions().unacknowledgedBytes(),
        federation == null ? 0 : federation.domains().queuedBytes(),
        load.crowded().stream()
            .map(each ->
                new Crowded(null, each.home(), each.tasks(), each.streams(), whole(each.time())))
            .toList());
  }

  private Receivers receivers() {
    List<Receiver> all = new ArrayList<>();
    for (SlowReceivers.Slow each : server.router().sessions().budget().slow().list()) {
      String resource = each.session().resource();
      all.add(
          new Receiver(
              null,
              each.session().bare(),
              resource == null ? "" : resource,
              each.age(),
              each.waiting(),
              each.bytes(),
              whole(each.ago())));
    }
    return new Receivers(all);
  }

  private Handlers handlers() {
    List<Handler> all = new ArrayList<>();
    for (VirtualHost host : server.hosts()) {
      for (HandlerTimes.Slow each : host.dispatch().times().list()) {
        all.add(
            new Handler(
                null,
                host.domain().domain(),
                each.module(),
                each.what(),
                each.count(),
                each.mean().toNanos() / MILLI,
                each.longest().toNanos() / MILLI,
                whole(each.ago())));
      }
    }
    all.sort(Comparator.comparingDouble((Handler each) -> each.mean() * each.count()).reversed());
    return new Handlers(all.subList(0, Math.min(all.size(), MOST_HANDLERS)));
  }

  private static Duration whole(Duration time) {
    return Duration.ofSeconds(time.toSeconds());
  }
}
