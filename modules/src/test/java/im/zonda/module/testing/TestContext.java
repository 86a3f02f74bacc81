package im.zonda.module.testing;

import im.zonda.config.ServerConfig;
import im.zonda.hook.Hook;
import im.zonda.hook.HookPoint;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.StorageRule;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.DomainService;
import im.zonda.module.Envelope;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Origin;
import im.zonda.module.Scheduler;
import im.zonda.module.ServiceHomes;
import im.zonda.module.XmppModule;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.session.Home;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.store.Account;
import im.zonda.store.KeyValueStore;
import im.zonda.store.MessageLog;
import im.zonda.xml.Element;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An engine for the tests of modules: one host, one thread, nothing happens by itself.
public final class TestContext implements ModuleContext {
  private final Jid domain = Jid.of(null, "example.org", null);
  private final TestClock clock = new TestClock();
  private final TestStores stores = new TestStores();
  private final TestDeclarations declared = new TestDeclarations();
  private final TestOperations operations =
      new TestOperations(() -> declared.handlers.of(OPERATIONS));
  private final TestPorts ports = new TestPorts(stores, operations);
  private final Map<Jid, TestHome> homes = new HashMap<>();
  private final List<Stanza> sent = new ArrayList<>();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<Jid> forgotten = new ArrayList<>();
  private ServerConfig config = ServerConfig.defaults(List.of("example.org"), Path.of("data"));
  private int lastId;

  /// Changes the configuration; to be called before [#install].
  public TestContext config(ServerConfig newConfig) {
    config = newConfig;
    return this;
  }

  /// Installs modules.
  public TestContext install(XmppModule... modules) {
    for (XmppModule module : modules) {
      ports.declare(module.ports());
      module.install(this);
      ports.declare(null);
    }
    return this;
  }

  /// Registers an account, given by its bare address.
  public TestHome account(String bare) {
    stores.accounts().create(List.of(new Account(Jid.of(bare), List.of(), clock.instant())));
    return home(Jid.of(bare));
  }

  /// The home of a bare address, whether registered or not.
  public TestHome home(Jid jid) {
    return homes.computeIfAbsent(
        jid.bare(), missing -> new TestHome(missing, each -> stores.accounts().find(each) != null));
  }

  /// Binds a session with that full address; the account is registered if it is not.
  public TestSession bind(String full) {
    TestHome home = account(Jid.of(full).bare().toString());
    TestSession session = home.addSession(Jid.of(full).resource());
    declared.handlers.of(SESSIONS).forEach(listener -> listener.bound(home, session));
    runTasks();
    return session;
  }

  /// Gives a bind request (XEP-0386) of a bound session to the modules; returns what they answer.
  public List<Element> bind2(TestSession session, Element request) {
    List<Element> answers = declared.bind2(home(session.jid()), session, request);
    runTasks();
    return answers;
  }

  /// Ends a session, as when its connection breaks.
  public void end(TestSession session) {
    TestHome home = home(session.jid());
    home.remove(session);
    declared.handlers.of(SESSIONS).forEach(listener -> listener.ended(home, session));
    runTasks();
  }

  /// The answer to an IQ request of a session; `service-unavailable` if no module answers.
  public IqReply ask(TestSession session, Iq iq) {
    Iq stamped = iq.withAddresses(session.jid(), iq.to());
    Jid own = session.jid().bare();
    Jid to = iq.to();
    Addressee addressee =
        to == null || to.equals(own)
            ? Addressee.OWN_ACCOUNT
            : to.equals(domain) ? Addressee.SERVER : Addressee.OTHER_ACCOUNT;
    boolean other = addressee == Addressee.OTHER_ACCOUNT;
    TestHome at = other ? home(Objects.requireNonNull(to)) : home(own);
    IqReply reply = declared.answer(stamped, addressee, at, other ? null : session);
    runTasks();
    return reply;
  }

  /// Gives an IQ of a stream that has not authenticated to the module that answers it.
  public IqReply askUnauthenticated(Iq iq, TestStranger client) {
    IqReply reply = declared.answerUnauthenticated(iq, client);
    runTasks();
    return reply;
  }

  /// What the filters of [HookPoint#SENT_BY_CLIENT] say of a session's stanza, `from` stamped.
  public Verdict sends(TestSession session, Stanza stanza) {
    Stanza stamped = stanza.withAddresses(session.jid(), stanza.to());
    Verdict said = declared.filter(HookPoint.SENT_BY_CLIENT, stamped, home(session.jid()), session);
    runTasks();
    return said;
  }

  /// Shows a stanza to the filters of [HookPoint#ARRIVING] at its addressee's home.
  public Verdict arrives(Stanza stanza) {
    Jid to = Objects.requireNonNull(stanza.to());
    Verdict verdict = declared.filter(HookPoint.ARRIVING, stanza, home(to), null);
    if (verdict instanceof Verdict.Keep(Consumer<Home> store, _)) {
      store.accept(home(to));
    }
    runTasks();
    return verdict;
  }

  /// Takes a stanza of a session all its way, and all that modules send because of it.
  public void fromClient(TestSession session, Stanza stanza) {
    Stanza stamped = stanza.withAddresses(session.jid(), stanza.to());
    Jid to = stamped.to();
    boolean own = to == null || to.equals(session.jid().bare()) || to.equals(domain);
    if (own && stamped instanceof Iq iq) {
      if (iq.isRequest()) {
        TestXml.reply(iq, ask(session, iq), session::send);
      }
    } else {
      switch (sends(session, stamped)) {
        case Verdict.Pass pass -> route(session, stamped);
        case Verdict.Replace(Stanza changed) -> route(session, changed);
        case Verdict.Refuse(StanzaError error, _) -> session.send(TestXml.error(stamped, error));
        case Verdict.Handled handled -> {}
        case Verdict.Drop dropped -> {}
        case Verdict.Keep keep -> throw new IllegalStateException("only for what arrives");
        case Verdict.Each(List<Stanza> all) -> all.forEach(each -> fromClient(session, each));
      }
    }
    deliver();
  }

  /// Takes what modules have sent to its receivers on this domain, until nothing is on its way.
  public void deliver() {
    while (!sent.isEmpty()) {
      Stanza stanza = sent.removeFirst();
      Jid to = Objects.requireNonNull(stanza.to());
      if (!to.domain().equals(domain.domain()) || to.local() == null) {
        continue;
      }
      TestHome home = home(to);
      switch (declared.filter(HookPoint.ARRIVING, stanza, home, null)) {
        case Verdict.Pass pass -> deliver(stanza, home);
        case Verdict.Replace(Stanza changed) -> deliver(changed, home);
        case Verdict.Refuse(StanzaError error, _) -> {
          if (!stanza.isError() && !(stanza instanceof Iq iq && !iq.isRequest())) {
            sent.add(TestXml.error(stanza, error));
          }
        }
        case Verdict.Handled handled -> {}
        case Verdict.Drop dropped -> {}
        case Verdict.Keep(Consumer<Home> store, _) -> store.accept(home);
        case Verdict.Each each -> throw new IllegalStateException("only for what clients send");
      }
      runTasks();
    }
  }

  /// All that modules have sent and that nothing has taken, oldest first.
  public List<Stanza> sent() {
    return List.copyOf(sent);
  }

  /// The same; the next call starts with nothing.
  public List<Stanza> takeSent() {
    List<Stanza> taken = sent();
    sent.clear();
    return taken;
  }

  /// What the first rule that decides says of storing a message.
  public StorageRule.Decision stores(Message message) {
    return declared.stores(message);
  }

  /// All stores, and what else is offered to modules.
  public TestStores stores() {
    return stores;
  }

  /// Has the homes of accounts answer the requests of the server to them.
  public TestContext answerRequests() {
    ports.components().answerBy(this::answerRequest);
    return this;
  }

  private Iq answerRequest(Iq request) {
    Jid to = Objects.requireNonNull(request.to());
    Addressee addressee =
        to.equals(request.from()) ? Addressee.OWN_ACCOUNT : Addressee.OTHER_ACCOUNT;
    List<Stanza> answers = new ArrayList<>();
    TestXml.reply(request, declared.answer(request, addressee, home(to), null), answers::add);
    List.copyOf(home(to).sessions()).stream()
        .filter(each -> each.closed() != null)
        .forEach(this::end);
    runTasks();
    return (Iq) answers.getFirst();
  }

  /// Runs what modules offer to administrators.
  public TestOperations operations() {
    return operations;
  }

  /// The accounts for which [#forget] was called.
  public List<Jid> forgotten() {
    return List.copyOf(forgotten);
  }

  /// Runs what modules have put into mailboxes. Only needed after a timer; all else does it.
  public void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.removeFirst().run();
    }
  }

  /// A message belongs in the log if a rule says so.
  private void route(TestSession session, Stanza stanza) {
    if (stanza instanceof Message message) {
      long id = stores(message) == StorageRule.Decision.STORE ? ++lastId : 0;
      TestHome home = home(session.jid());
      declared.handlers.of(DELIVERY).forEach(each -> each.sent(home, message, id, session));
    }
    if (stanza.to() != null) {
      sent.add(stanza);
    }
  }

  private void deliverIq(Iq iq, TestHome home) {
    String resource = Objects.requireNonNull(iq.to()).resource();
    if (resource != null) {
      TestSession session = home.session(resource);
      if (session != null && !declared.isReserved(iq)) {
        session.send(iq);
      } else if (iq.isRequest()) {
        sent.add(Iq.error(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE)));
      }
    } else if (iq.isRequest()) {
      TestXml.reply(iq, declared.answer(iq, Addressee.OTHER_ACCOUNT, home, null), sent::add);
    }
  }

  private void deliver(Stanza stanza, TestHome home) {
    if (stanza instanceof Iq iq) {
      deliverIq(iq, home);
      return;
    }
    List<TestSession> targets = home.receivers(stanza);
    targets.forEach(session -> session.send(stanza));
    if (stanza instanceof Message message) {
      declared.delivered(home, message, targets);
    }
  }

  @Override
  public Jid domain() {
    return domain;
  }

  @Override
  public ServerConfig config() {
    return config;
  }

  @Override
  public TestClock clock() {
    return clock;
  }

  @Override
  public TestClock scheduler() {
    return clock;
  }

  @Override
  public Scheduler.Cancellable every(Duration first, Duration period, Runnable task) {
    return clock.every(first, period, tasks::add, task);
  }

  @Override
  public IdSource ids() {
    return () -> "id-" + ++lastId;
  }

  @Override
  public <T> T port(Class<T> type) {
    return ports.get(type);
  }

  @Override
  public KeyValueStore keyValues(String name) {
    return ports.keyValues(name);
  }

  @Override
  public TestDeclarations host() {
    return declared;
  }

  @Override
  public <H> void declare(Hook<H> hook, int order, H handler) {
    declared.handlers.add(hook, order, handler, "test");
  }

  @Override
  public <H> List<H> declared(Hook<H> hook) {
    return declared.handlers.of(hook);
  }

  @Override
  public String moduleOf(Object handler) {
    return declared.handlers.moduleOf(handler);
  }

  @Override
  public boolean roomMessagesMayBlock() {
    return declared(ROOM_MESSAGES).stream().anyMatch(RoomMessageFilter::mayBlock);
  }

  @Override
  public void send(Envelope envelope) {
    Stanza stanza = envelope.stanza();
    if (stanza.from() == null || stanza.to() == null) {
      throw new IllegalArgumentException("a stanza needs from and to: " + stanza);
    }
    envelope.each().forEach(each -> sent.add(each.stanza()));
    envelope.origin().hold();
    tasks.add(envelope.origin()::release); // when its receiver's home has it
  }

  @Override
  public void deliverLate(Home home, Envelope envelope, Instant time) {
    Message late = declared.marked((Message) envelope.stanza(), time);
    deliver(late, home(home.jid()));
    awaitCommit(stores.messages().append(home.jid(), late), late, envelope.origin());
  }

  @Override
  public MessageLog.@Nullable Keep keep(Home home, Message message) {
    return stores(message) == StorageRule.Decision.STORE ? MessageLog.Keep.ARCHIVE : null;
  }

  @Override
  public void awaitCommit(MessageLog.Receipt receipt, Message message, Origin origin) {
    origin.hold();
    receipt.whenCommitted(origin::release);
  }

  @Override
  public void slowDown(Origin origin, Duration time) {}

  @Override
  public <T> ServiceHomes<T> serve(DomainService<T> service) {
    return declared.serve(service);
  }

  @Override
  public boolean atHome(Jid account, Consumer<Home> task) {
    return account.domain().equals(domain.domain()) && tasks.add(() -> task.accept(home(account)));
  }

  @Override
  public boolean find(Jid address, Consumer<Boolean> answer) {
    return atHome(address.bare(), home -> answer.accept(TestHome.has(home, address.resource())));
  }

  @Override
  public void forget(Jid account) {
    forgotten.add(account);
    home(account).sessions().forEach(this::end);
    home(account).unload();
  }
}
