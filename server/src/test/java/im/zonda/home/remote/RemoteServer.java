package im.zonda.home.remote;

import im.zonda.cluster.node.Nodes;
import im.zonda.config.S2s;
import im.zonda.config.limits.S2sLimits;
import im.zonda.home.AckOnCommit;
import im.zonda.home.Homes;
import im.zonda.home.SteppedWorkers;
import im.zonda.jid.Jid;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamFailure;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.route.Routes;
import im.zonda.runtime.TestRuntime;
import im.zonda.simulation.SimulatedClock;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.storage.memory.MemoryData;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// The remote domains of a server of one domain, such as `verona.example`, and its rooms, whose own
/// destination remembers what it gets. Everything runs on the test's thread.
final class RemoteServer {
  static final DomainPair PAIR = new DomainPair("verona.example", "mantua.example");

  /// What may be on its way on one stream, in bytes.
  static final int WINDOW = 4_096;

  final SimulatedClock time;
  final MemoryData data;
  final SteppedWorkers workers = new SteppedWorkers();
  final Routes routes = new Routes();
  final List<Envelope> arrived = new ArrayList<>();
  final List<DomainPair> attempts = new ArrayList<>();

  /// What is done with stanzas for the server's own domains.
  Consumer<Envelope> arrival = arrived::add;

  final MemoryStores stores;
  final RemoteSetup setup;
  final RemoteDomains domains;
  S2s settings = S2s.DEFAULTS;

  RemoteServer() {
    this(PAIR.local(), new SimulatedClock(), new MemoryData(), UnaryOperator.identity());
  }

  /// A server of a domain with data from before.
  RemoteServer(String domain, SimulatedClock time, MemoryData data, UnaryOperator<MessageLog> log) {
    this.time = time;
    this.data = data;
    this.stores = new MemoryStores(data, time);
    MessageLog messages = log.apply(stores.messages());
    setup =
        new RemoteSetup(
            () -> settings,
            routes,
            messages,
            stores.clusterLog(),
            stores.remoteQueues(),
            new AckOnCommit(routes.errors(), messages, true),
            new TestRuntime().clock(time).scheduler(time).random(new SplittableRandom(7)).build(),
            WINDOW);
    domains =
        new RemoteDomains(
            setup, attempts::add, new Homes.Setup(Nodes.NONE, workers, 1_000, 1_000), 1L << 30);
    routes.add(Jid.of(domain), envelope -> arrival.accept(envelope));
    routes.add(Jid.of("rooms." + domain), envelope -> arrival.accept(envelope));
    routes.setRemote(domains);
  }

  /// The default limits with other bounds of the queues and of the number of pairs.
  static S2sLimits limits(long queueBytes, long allBytes, int links) {
    S2sLimits defaults = S2sLimits.DEFAULTS;
    return new S2sLimits(
        queueBytes,
        allBytes,
        links,
        defaults.resumeTime(),
        defaults.interruptedStreams(),
        0,
        defaults.connections());
  }

  /// The server after a crash: only the stores are left.
  RemoteServer restart() {
    time.clear();
    RemoteServer next = new RemoteServer(PAIR.local(), time, data, UnaryOperator.identity());
    next.settings = settings;
    next.sweep();
    return next;
  }

  void sweep() {
    domains.sweep();
    workers.runAll();
  }

  void send(Stanza stanza) {
    send(stanza, Origin.NONE);
  }

  void send(Stanza stanza, Origin origin) {
    routes.route(new Envelope(stanza, origin, null));
    workers.runAll();
  }

  /// A chat message of Romeo's to Juliet, with that id and body.
  static Message message(String body) {
    return message(Message.Type.CHAT, "juliet@mantua.example", body);
  }

  static Message message(Message.Type type, String to, String body) {
    return Message.of(
        type,
        Jid.of("romeo@verona.example/orchard"),
        Jid.of(to),
        "id-" + body,
        List.of(Element.builder(Namespaces.CLIENT, "body").text(body).build()));
  }

  void ready(TestStream stream) {
    domains.ready(PAIR, stream);
    workers.runAll();
  }

  void accepted(TestStream stream) {
    domains.accepted(PAIR, stream);
    workers.runAll();
  }

  void acknowledged(TestStream stream) {
    domains.acknowledged(PAIR, stream.last(), stream);
    workers.runAll();
  }

  void failed(ServerStreamFailure.Reason reason) {
    domains.failed(PAIR, new ServerStreamFailure(reason, "made to fail by the test"));
    workers.runAll();
  }

  void ended(TestStream stream) {
    domains.ended(
        PAIR, stream, new ServerStreamFailure(ServerStreamFailure.Reason.LOST, "the test"));
    workers.runAll();
  }

  /// What waits in the log.
  List<String> waiting() {
    return stores
        .messages()
        .waiting(Jid.of("verona.example/mantua.example"), Long.MIN_VALUE, 1_000)
        .stream()
        .map(entry -> text(entry.message()))
        .toList();
  }

  /// The bodies of what a stream was given.
  static List<String> texts(TestStream stream) {
    return stream.delivered.stream().map(RemoteServer::text).toList();
  }

  /// The type, error condition and addressee of each error that came back.
  List<String> errors() {
    return arrived.stream()
        .map(Envelope::stanza)
        .filter(Stanza::isError)
        .map(stanza -> {
          Element error = Objects.requireNonNull(stanza.toElement().child("error"));
          return stanza.toElement().name().name()
              + " "
              + stanza.id()
              + " "
              + error.children().getFirst().name().name();
        })
        .toList();
  }

  static String text(Stanza stanza) {
    Element body = stanza.toElement().child("body");
    return body == null ? stanza.toElement().name().name() : body.text();
  }
}
