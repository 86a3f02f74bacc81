package im.zonda.module.admin.home;

import im.zonda.account.DisabledAccounts;
import im.zonda.account.DisabledAccounts.Disabling;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.session.ClientConnection;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.session.UserAgent;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Does something with accounts at their homes, on whatever node of a cluster these are: the host
/// sends a request to the account, whose home answers it. No client can send such a request, as its
/// `from` is the host's domain.
public final class AccountTasks {
  private static final String NAMESPACE = "urn:zonda:administration:0";
  private static final QName TASK = new QName(NAMESPACE, "task");
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final QName NOT_FOUND = new QName(Namespaces.STANZA_ERRORS, "item-not-found");
  private static final QName STATUS = new QName(Namespaces.CLIENT, "status");

  /// The most characters of a status.
  private static final int MOST_STATUS = 200;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ModuleContext context;
  private final AccountWatch watch;

  /// What is to be done.
  public enum Task {
    /// End all sessions of the account, or that of a full address.
    END_SESSIONS,
    /// Disable the account and end its sessions.
    DISABLE,
    /// Enable the account again.
    ENABLE,
    /// Only describe it.
    DESCRIBE
  }

  /// A session of an account.
  ///
  /// @param login when it was bound, or null
  /// @param active when its client has last sent something to others, or null
  /// @param asleep whether no one sees what it gets ([Session#isAsleep])
  /// @param priority the priority of its presence; null while it is unavailable
  /// @param status the beginning of what its presence says in words, or null
  /// @param address the network address from which it was bound, or null
  /// @param tls the version of TLS then, or null
  /// @param software the name of the client's program, or null
  /// @param device the name of its machine, or null
  public record SessionInfo(
      String resource,
      @Nullable Instant login,
      @Nullable Instant active,
      boolean asleep,
      @Nullable Integer priority,
      @Nullable String status,
      @Nullable String address,
      @Nullable String tls,
      @Nullable String software,
      @Nullable String device) {}

  /// What became of a task.
  ///
  /// @param account the address that the task was for
  /// @param error why nothing was done; null if all was
  /// @param sessions the sessions before
  /// @param lastLogin when the account has logged in last; null if that is unknown
  /// @param loginsPerMinute how often sessions are bound, as text
  /// @param stanzasPerSecond how often clients send something, as text
  public record Result(
      Jid account,
      @Nullable ErrorCondition error,
      List<SessionInfo> sessions,
      @Nullable Instant lastLogin,
      String loginsPerMinute,
      String stanzasPerSecond) {
    static Result failed(Jid account, ErrorCondition error) {
      return new Result(account, error, List.of(), null, "", "");
    }
  }

  public AccountTasks(ModuleContext context, AccountWatch watch) {
    this.context = context;
    this.watch = watch;
  }

  public void install() {
    context.onIq(Iq.Type.SET, TASK, Addressee.OTHER_ACCOUNT, this::answer);
  }

  // ---- at the node where the operation runs

  /// Does something with an account, and waits for it.
  ///
  /// @param account its bare address, or the full one of a session
  public Result run(Task task, Jid account) throws InterruptedException {
    return send(task, account, Element.builder(TASK));
  }

  /// Disables an account, and ends its sessions.
  public Result disable(Jid account, Disabling disabling) throws InterruptedException {
    Element.Builder payload = Element.builder(TASK);
    payload.attribute("until", text(disabling.until())).attribute("reason", disabling.reason());
    return send(Task.DISABLE, account, payload);
  }

  private Result send(Task task, Jid account, Element.Builder payload) throws InterruptedException {
    payload.attribute("do", task.name()).attribute("resource", account.resource());
    Iq request =
        Iq.of(Iq.Type.SET, context.domain(), account.bare(), context.ids().next(), payload.build());
    Iq answer = ask(request);
    return answer == null
        ? Result.failed(account, ErrorCondition.REMOTE_SERVER_TIMEOUT)
        : read(account, answer);
  }

  /// Has an account answer a request that it sends to itself, as one of its clients could.
  ///
  /// @return whether it has done so
  public boolean askOwn(Jid account, Element payload) throws InterruptedException {
    Iq answer = ask(Iq.of(Iq.Type.SET, account, account, context.ids().next(), payload));
    return answer != null && !answer.isError();
  }

  /// Sends a request and waits for its answer; null if there is none in time.
  private @Nullable Iq ask(Iq request) throws InterruptedException {
    BlockingQueue<Iq> answers = new ArrayBlockingQueue<>(1);
    ExternalComponents requests = context.port(ExternalComponents.class);
    // The first answer counts; there is one.
    requests.request(request, context.domain(), PATIENCE, answers::add);
    return answers.poll(PATIENCE.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Result read(Jid account, Iq answer) {
    Element payload = answer.payload();
    if (answer.type() != Iq.Type.RESULT || payload == null || !payload.name().equals(TASK)) {
      return Result.failed(account, condition(answer));
    }
    List<SessionInfo> sessions = new ArrayList<>();
    for (Element child : payload.children()) {
      sessions.add(
          new SessionInfo(
              Objects.requireNonNullElse(child.attribute("resource"), ""),
              time(child.attribute("login")),
              time(child.attribute("active")),
              child.attribute("asleep") != null,
              number(child.attribute("priority")),
              child.attribute("status"),
              child.attribute("address"),
              child.attribute("tls"),
              child.attribute("software"),
              child.attribute("device")));
    }
    return new Result(
        account,
        null,
        sessions,
        time(payload.attribute("login")),
        Objects.requireNonNullElse(payload.attribute("logins"), ""),
        Objects.requireNonNullElse(payload.attribute("stanzas"), ""));
  }

  private static @Nullable Integer number(@Nullable String text) {
    return text == null ? null : Integer.valueOf(text);
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static ErrorCondition condition(Iq answer) {
    Element error = answer.payload(ERROR);
    return error != null && error.child(NOT_FOUND) != null
        ? ErrorCondition.ITEM_NOT_FOUND
        : ErrorCondition.INTERNAL_SERVER_ERROR;
  }

  private static @Nullable Instant time(@Nullable String text) {
    return text == null ? null : Instant.parse(text);
  }

  // ---- at the home of the account

  private IqReply answer(IqRequest request) {
    if (!context.domain().equals(request.iq().from())) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Home home = request.home();
    String name = request.payload().attribute("do");
    if (!home.exists()) {
      // A guest (XEP-0175) has a session that can be ended, and nothing else.
      boolean ends = "END_SESSIONS".equals(name) && !home.sessions().isEmpty();
      return ends && end(home, request.payload().attribute("resource"))
          ? IqReply.result(Element.of(TASK))
          : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
    }
    Element description = describe(home);
    return switch (name) {
      case "END_SESSIONS" ->
          end(home, request.payload().attribute("resource"))
              ? IqReply.result(description)
              : IqReply.refuse(ErrorCondition.ITEM_NOT_FOUND);
      case "DISABLE", "ENABLE" -> {
        boolean disabled = "DISABLE".equals(name);
        if (disabled) {
          disable(home, request.payload());
        } else {
          context.port(DisabledAccounts.class).enable(home.jid());
          watch.state(home).disabling = null;
        }
        yield IqReply.result(description);
      }
      case "DESCRIBE" -> IqReply.result(description);
      case null, default -> IqReply.refuse(ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    };
  }

  private void disable(Home home, Element task) {
    Disabling disabling =
        new Disabling(
            context.clock().instant(), time(task.attribute("until")), task.attribute("reason"));
    context.port(DisabledAccounts.class).disable(home.jid(), disabling);
    watch.state(home).disabling = disabling;
    AccountWatch.endDisabled(home);
  }

  /// Ends sessions; false if there is none with that resource.
  private static boolean end(Home home, @Nullable String resource) {
    if (resource != null && home.session(resource) == null) {
      return false;
    }
    for (Session session : List.copyOf(home.sessions())) {
      if (resource == null || resource.equals(session.jid().resource())) {
        session.close(
            StreamErrorCondition.POLICY_VIOLATION, "An administrator has ended the session.");
      }
    }
    return true;
  }

  private Element describe(Home home) {
    AccountState state = watch.state(home);
    long now = context.clock().millis();
    Instant last = state.login();
    Element.Builder task = Element.builder(TASK);
    for (Session session : home.sessions()) {
      Instant login = watch.boundAt(session);
      last = later(last, login);
      task.child(describe(session, login));
    }
    return task.attribute("login", text(last))
        .attribute("logins", rate(state.logins.per(Duration.ofMinutes(1), now)))
        .attribute("stanzas", rate(state.stanzas.per(Duration.ofSeconds(1), now)))
        .build();
  }

  private Element describe(Session session, @Nullable Instant login) {
    ClientConnection connection = session.get(ClientConnection.KEY);
    UserAgent agent = Objects.requireNonNullElse(session.get(UserAgent.KEY), UserAgent.UNKNOWN);
    return Element.builder(NAMESPACE, "session")
        .attribute("resource", session.jid().resource())
        .attribute("login", text(login))
        .attribute("active", text(watch.activeAt(session)))
        .attribute("asleep", session.isAsleep() ? "true" : null)
        .attribute("priority", session.available() ? Integer.toString(session.priority()) : null)
        .attribute("status", status(session.presence()))
        .attribute("address", connection == null ? null : connection.address())
        .attribute("tls", connection == null ? null : connection.tls())
        .attribute("software", agent.software())
        .attribute("device", agent.device())
        .build();
  }

  /// The beginning of what a presence says in words; null if it says nothing.
  private static @Nullable String status(@Nullable Presence presence) {
    Element status = presence == null ? null : presence.payload(STATUS);
    String text = status == null ? "" : status.text();
    int most = Math.min(text.codePointCount(0, text.length()), MOST_STATUS);
    return text.isEmpty() ? null : text.substring(0, text.offsetByCodePoints(0, most));
  }

  /// A rate with at most two decimal places.
  private static String rate(double rate) {
    return BigDecimal.valueOf(rate)
        .setScale(2, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }
}
