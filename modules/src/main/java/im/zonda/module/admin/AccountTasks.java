package im.zonda.module.admin;

import im.zonda.account.DisabledAccounts;
import im.zonda.jid.Jid;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Does something with accounts at their homes, on whatever node of a cluster these are: the host
/// sends a request to the account, whose home answers it. No client can send such a request, as its
/// `from` is the host's domain.
final class AccountTasks {
  private static final String NAMESPACE = "urn:zonda:administration:0";
  private static final QName TASK = new QName(NAMESPACE, "task");
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final QName NOT_FOUND = new QName(Namespaces.STANZA_ERRORS, "item-not-found");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ModuleContext context;
  private final AccountWatch watch;

  /// What is to be done.
  enum Task {
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
  record SessionInfo(String resource, @Nullable Instant login) {}

  /// What became of a task.
  ///
  /// @param account the address that the task was for
  /// @param error why nothing was done; null if all was
  /// @param sessions the sessions before
  /// @param lastLogin when the account has logged in last; null if that is unknown
  /// @param loginsPerMinute how often sessions are bound, as text
  /// @param stanzasPerSecond how often clients send something, as text
  record Result(
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

  AccountTasks(ModuleContext context, AccountWatch watch) {
    this.context = context;
    this.watch = watch;
  }

  void install() {
    context.onIq(Iq.Type.SET, TASK, Addressee.OTHER_ACCOUNT, this::answer);
  }

  // ---- at the node where the command runs

  /// Does the same with several accounts. Returns at once.
  ///
  /// @param admin on whose behalf
  /// @param done gets the results in the order of the accounts, on any thread; must not block
  void run(Task task, List<Jid> accounts, Jid admin, Consumer<List<Result>> done) {
    AtomicReferenceArray<@Nullable Result> results = new AtomicReferenceArray<>(accounts.size());
    AtomicInteger missing = new AtomicInteger(accounts.size());
    for (int i = 0; i < accounts.size(); i++) {
      int index = i;
      run(
          task,
          accounts.get(i),
          admin,
          result -> {
            results.set(index, result);
            if (missing.decrementAndGet() == 0) {
              List<Result> all = new ArrayList<>();
              for (int each = 0; each < results.length(); each++) {
                all.add(Objects.requireNonNull(results.get(each)));
              }
              done.accept(all);
            }
          });
    }
  }

  private void run(Task task, Jid account, Jid admin, Consumer<Result> done) {
    Element.Builder payload = Element.builder(TASK).attribute("do", task.name());
    payload.attribute("resource", account.resource());
    Iq request =
        Iq.of(Iq.Type.SET, context.domain(), account.bare(), context.ids().next(), payload.build());
    context
        .port(ExternalComponents.class)
        .request(request, admin.bare(), PATIENCE, answer -> done.accept(read(account, answer)));
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
              time(child.attribute("login"))));
    }
    return new Result(
        account,
        null,
        sessions,
        time(payload.attribute("login")),
        Objects.requireNonNullElse(payload.attribute("logins"), ""),
        Objects.requireNonNullElse(payload.attribute("stanzas"), ""));
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
        context.port(DisabledAccounts.class).set(home.jid(), disabled);
        watch.state(home).disabled = disabled;
        if (disabled) {
          AccountWatch.endDisabled(home);
        }
        yield IqReply.result(description);
      }
      case "DESCRIBE" -> IqReply.result(description);
      case null, default -> IqReply.refuse(ErrorCondition.FEATURE_NOT_IMPLEMENTED);
    };
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
      task.child(
          Element.builder(NAMESPACE, "session")
              .attribute("resource", session.jid().resource())
              .attribute("login", login == null ? null : login.toString())
              .build());
    }
    return task.attribute("login", last == null ? null : last.toString())
        .attribute("logins", rate(state.logins.per(Duration.ofMinutes(1), now)))
        .attribute("stanzas", rate(state.stanzas.per(Duration.ofSeconds(1), now)))
        .build();
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

  /// A text for people about accounts with which nothing was done; null if there are none.
  static @Nullable String failures(
      List<Result> results, BiFunction<Jid, ErrorCondition, String> text) {
    List<String> lines = new ArrayList<>();
    for (Result result : results) {
      ErrorCondition error = result.error();
      if (error != null) {
        lines.add(text.apply(result.account(), error));
      }
    }
    return lines.isEmpty() ? null : String.join(" ", lines);
  }
}
