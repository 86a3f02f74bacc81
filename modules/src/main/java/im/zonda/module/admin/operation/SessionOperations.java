package im.zonda.module.admin.operation;

import im.zonda.account.OnlineAccounts;
import im.zonda.account.OnlineAccounts.Activity;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.AccountTasks;
import im.zonda.module.admin.home.AccountTasks.SessionInfo;
import im.zonda.module.admin.home.AccountTasks.Task;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.stanza.ErrorCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Operations on the sessions of accounts.
public final class SessionOperations {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /// A session.
  public record Session(
      @Field("the account") Jid account,
      @Field("the resource") String resource,
      @Field("when it began") @Nullable Instant since,
      @Field("when its client has last sent something to others") @Nullable Instant active,
      @Field("the network address from which it was bound") @Nullable String address,
      @Field("the version of TLS then; nothing without encryption") @Nullable String tls,
      @Field("the name of the program") @Nullable String software,
      @Field("the name of the machine") @Nullable String device,
      @Field("whether its client is away or inactive") boolean asleep,
      @Field("the priority of its presence; nothing while it is unavailable")
          @Nullable Integer priority,
      @Field("what its presence says in words, at most 200 characters of it")
          @Nullable String status) {}

  /// Sessions that are looked for.
  public record Wanted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("the account; all if none is given") @Nullable Jid account,
      @Field("a part of the resource") @Nullable String resource,
      @Field("the network address") @Nullable String address,
      @Field("a part of the name of the program") @Nullable String software,
      @Field("only those whose clients have sent nothing since then") @Nullable Instant idleSince,
      @Field("the account after which to start") @Nullable Jid after,
      @Field(value = "the most accounts", fallback = "50", min = 1, max = 500) int limit) {}

  /// Sessions that were found.
  public record Found(
      @Field("the sessions") List<Session> sessions,
      @Field(Field.NEXT) @Nullable Jid next,
      @Field("whether all nodes of the cluster have answered") boolean complete) {}

  /// A session of an account.
  public record Chosen(
      @Field("the address of the account") Jid account, @Field("the resource") String resource) {}

  /// Sessions to end.
  public record Ending(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("the account; all if none is given") @Nullable Jid account,
      @Field("a part of the resource") @Nullable String resource,
      @Field("the network address") @Nullable String address,
      @Field("a part of the name of the program") @Nullable String software,
      @Field("only those whose clients have sent nothing since then") @Nullable Instant idleSince,
      @Field("whether they are only counted") boolean dryRun) {}

  /// What was found or ended.
  public record Ended(@Field("how many sessions") long sessions) {}

  /// `session.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("session.list", Right.SESSIONS)
          .at(
              "GET /hosts/{host}/sessions",
              "List the sessions of clients",
              Wanted.class,
              Found.class);

  /// `session.show`.
  public static final Operation<Chosen, Session> SHOW =
      Operation.read("session.show", Right.SESSIONS)
          .at(
              "GET /accounts/{account}/sessions/{resource}",
              "Show a session",
              Chosen.class,
              Session.class);

  /// `session.end`.
  public static final Operation<Chosen, Nothing> END =
      Operation.change("session.end", Right.SESSIONS)
          .at(
              "DELETE /accounts/{account}/sessions/{resource}",
              "End a session; its client may log in again",
              Chosen.class,
              Nothing.class);

  /// `session.end-all`.
  public static final Operation<Ending, Ended> END_ALL =
      Operation.change("session.end-all", Right.SESSIONS)
          .at(
              "POST /hosts/{host}/sessions/end",
              "End the sessions of an account, or those that are found",
              Ending.class,
              Ended.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, SHOW, END, END_ALL);

  private final OnlineAccounts online;
  private final AccountTasks tasks;
  private final Jid host;

  /// @param context has the accounts of the host
  public SessionOperations(ModuleContext context, AccountTasks tasks) {
    online = context.port(OnlineAccounts.class);
    host = context.domain();
    this.tasks = tasks;
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, wanted) -> list(wanted)),
        SHOW.by((_, chosen) -> show(chosen)),
        END.by(this::end),
        END_ALL.by(this::endAll));
  }

  // ---- lists

  private Outcome<Found> list(Wanted wanted) throws InterruptedException {
    Jid account = wanted.account();
    if (account != null) {
      Outcome<Found> foreign = foreign(account);
      return foreign == null
          ? Outcome.done(new Found(sessions(account.bare(), wanted), null, true))
          : foreign;
    }
    long most = wanted.limit() + 1L;
    OnlineAccounts.Found all = online(wanted.after(), (int) Math.min(most, Integer.MAX_VALUE));
    boolean isLast = all.accounts().size() < most;
    List<Jid> page = isLast ? all.accounts() : all.accounts().subList(0, wanted.limit());
    List<Session> found = new ArrayList<>();
    for (Jid each : page) {
      found.addAll(sessions(each, wanted));
    }
    return Outcome.done(new Found(found, isLast ? null : page.getLast(), all.complete()));
  }

  private <R extends Record> @Nullable Outcome<R> foreign(Jid account) {
    return account.domain().equals(host.domain())
        ? null
        : Outcome.invalid("account", account + " is not an account of " + host + ".");
  }

  private OnlineAccounts.Found online(@Nullable Jid after, int limit) throws InterruptedException {
    BlockingQueue<OnlineAccounts.Found> answers = new ArrayBlockingQueue<>(1);
    online.find(host.domain(), Activity.ONLINE, after, limit, answers::add);
    OnlineAccounts.Found found = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    return found == null ? new OnlineAccounts.Found(0, List.of(), false) : found;
  }

  private List<Session> sessions(Jid account, Wanted wanted) throws InterruptedException {
    List<Session> sessions = new ArrayList<>();
    for (SessionInfo each : tasks.run(Task.DESCRIBE, account).sessions()) {
      if (matches(each, wanted)) {
        sessions.add(session(account, each));
      }
    }
    return sessions;
  }

  private static boolean matches(SessionInfo session, Wanted wanted) {
    Instant idle = wanted.idleSince();
    Instant active = session.active();
    return contains(session.resource(), wanted.resource())
        && contains(session.software(), wanted.software())
        && (wanted.address() == null || wanted.address().equals(session.address()))
        && (idle == null || (active != null && active.isBefore(idle)));
  }

  private static boolean contains(@Nullable String text, @Nullable String part) {
    return part == null || (text != null && text.contains(part));
  }

  private static Session session(Jid account, SessionInfo info) {
    return new Session(
        account,
        info.resource(),
        info.login(),
        info.active(),
        info.address(),
        info.tls(),
        info.software(),
        info.device(),
        info.asleep(),
        info.priority(),
        info.status());
  }

  private Outcome<Session> show(Chosen chosen) throws InterruptedException {
    Jid account = chosen.account().bare();
    AccountTasks.Result described = tasks.run(Task.DESCRIBE, account);
    for (SessionInfo each : described.sessions()) {
      if (each.resource().equals(chosen.resource())) {
        return Outcome.done(session(account, each));
      }
    }
    return AccountOperations.failed(account, ErrorCondition.ITEM_NOT_FOUND);
  }

  // ---- ends

  private Outcome<Nothing> end(Call call, Chosen chosen) throws InterruptedException {
    Jid session;
    try {
      session = chosen.account().withResource(chosen.resource());
    } catch (JidFormatException e) {
      return Outcome.invalid("resource", chosen.resource() + " cannot be a resource.");
    }
    ErrorCondition error = tasks.run(Task.END_SESSIONS, session).error();
    if (error != null) {
      return AccountOperations.failed(session, error);
    }
    call.changed("session", session.toString(), null);
    return Nothing.done();
  }

  private Outcome<Ended> endAll(Call call, Ending ending) throws InterruptedException {
    Jid account = ending.account();
    if (account == null || isFiltered(ending)) {
      return endFound(call, ending);
    }
    Outcome<Ended> foreign = foreign(account);
    if (foreign != null) {
      return foreign;
    }
    AccountTasks.Result result =
        tasks.run(ending.dryRun() ? Task.DESCRIBE : Task.END_SESSIONS, account.bare());
    ErrorCondition error = result.error();
    if (error != null) {
      return AccountOperations.failed(account.bare(), error);
    }
    int count = result.sessions().size();
    if (!ending.dryRun()) {
      call.changed("sessions", Integer.toString(count), "0");
    }
    return Outcome.done(new Ended(count));
  }

  private static boolean isFiltered(Ending ending) {
    return ending.resource() != null
        || ending.address() != null
        || ending.software() != null
        || ending.idleSince() != null;
  }

  /// Those that a filter finds: counted at once, ended as a job.
  private Outcome<Ended> endFound(Call call, Ending ending) throws InterruptedException {
    Wanted wanted =
        new Wanted(
            ending.host(),
            ending.account(),
            ending.resource(),
            ending.address(),
            ending.software(),
            ending.idleSince(),
            null,
            Integer.MAX_VALUE);
    Outcome<Found> found = list(wanted);
    if (found instanceof Outcome.Refused<Found>(var reason, String text, String field)) {
      return new Outcome.Refused<>(reason, text, field);
    }
    List<Session> sessions =
        found instanceof Outcome.Done<Found>(Found result) ? result.sessions() : List.of();
    if (ending.dryRun()) {
      return Outcome.done(new Ended(sessions.size()));
    }
    return call.start(
        "End " + sessions.size() + " sessions",
        progress -> {
          int ended = 0;
          for (Session each : sessions) {
            Jid session = each.account().withResource(each.resource());
            if (tasks.run(Task.END_SESSIONS, session).error() == null) {
              ended++;
            }
            progress.at(ended, sessions.size(), "sessions");
          }
          return ended + " of " + sessions.size() + " sessions were ended.";
        });
  }
}
