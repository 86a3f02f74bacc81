package im.zonda.module.admin.operation;

import im.zonda.account.AccountRegistration;
import im.zonda.account.DisabledAccounts;
import im.zonda.account.OnlineAccounts;
import im.zonda.account.OnlineAccounts.Activity;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.AccountAddresses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Operations that find and count accounts.
public final class AccountLists {
  /// The most addresses that are looked through for one page: a page may be short because of it,
  /// and says where to go on.
  private static final int MOST_READ = 5_000;

  private static final int MOST_READS = 3;
  private static final int AT_A_TIME = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /// Which accounts are meant.
  public enum State {
    /// All.
    ANY,
    /// Those with a session.
    ONLINE,
    /// Those with a session whose client is active.
    ACTIVE,
    /// Those with sessions none of whose clients is active.
    IDLE,
    /// Those that no client may log in to.
    DISABLED
  }

  /// Accounts that are looked for.
  public record Wanted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("a part of the name") @Nullable String name,
      @Field(value = "which accounts", fallback = "any") State state,
      @Field("the account after which to start") @Nullable Jid after,
      @Field(value = "the most accounts", fallback = "50", min = 1, max = 500) int limit) {}

  /// Accounts that were found.
  public record Found(
      @Field("the accounts") List<Jid> accounts,
      @Field(Field.NEXT) @Nullable Jid next,
      @Field("whether all nodes of the cluster have answered") boolean complete) {}

  /// Accounts to count.
  public record Counted(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field(value = "which accounts", fallback = "any") State state) {}

  /// How many there are.
  public record Count(
      @Field("how many accounts") long accounts,
      @Field("whether all nodes of the cluster have answered") boolean complete) {}

  /// `account.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("account.list", Right.ACCOUNTS)
          .at("GET /hosts/{host}/accounts", "List accounts", Wanted.class, Found.class);

  /// `account.count`.
  public static final Operation<Counted, Count> COUNT =
      Operation.read("account.count", Right.ACCOUNTS)
          .at("GET /hosts/{host}/account-count", "Count accounts", Counted.class, Count.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, COUNT);

  private final AccountRegistration registration;
  private final AccountAddresses addresses;
  private final DisabledAccounts disabled;
  private final OnlineAccounts online;

  /// @param context has the accounts of the host
  public AccountLists(ModuleContext context) {
    registration = context.port(AccountRegistration.class);
    addresses = context.port(AccountAddresses.class);
    disabled = context.port(DisabledAccounts.class);
    online = context.port(OnlineAccounts.class);
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, wanted) -> Outcome.done(list(wanted))),
        COUNT.by((_, counted) -> Outcome.done(count(counted))));
  }

  // ---- lists

  private Found list(Wanted wanted) throws InterruptedException {
    return switch (wanted.state()) {
      case ANY -> any(wanted);
      case DISABLED -> read(disabled(), wanted);
      case ONLINE -> read(online(Activity.ONLINE), wanted);
      case ACTIVE -> read(online(Activity.ACTIVE), wanted);
      case IDLE -> read(online(Activity.IDLE), wanted);
    };
  }

  private Found any(Wanted wanted) {
    String name = wanted.name();
    int most = wanted.limit() + 1;
    List<Jid> found =
        name == null
            ? addresses.list(wanted.host(), wanted.after(), most)
            : addresses.search(wanted.host(), name.toLowerCase(Locale.ROOT), wanted.after(), most);
    boolean more = found.size() == most;
    List<Jid> page = more ? found.subList(0, wanted.limit()) : found;
    return new Found(page, more ? page.getLast() : null, true);
  }

  /// Where accounts are read from, in order.
  private interface Source {
    OnlineAccounts.Found read(String host, @Nullable Jid after, int limit)
        throws InterruptedException;
  }

  private Source disabled() {
    return (host, after, limit) -> {
      List<Jid> some = disabled.list(host, after, limit);
      return new OnlineAccounts.Found(some.size(), some, true);
    };
  }

  private Source online(Activity activity) {
    return (host, after, limit) -> online(host, activity, after, limit);
  }

  private static boolean matches(Jid account, Wanted wanted) {
    String local = account.local();
    return wanted.name() == null
        || (local != null && local.contains(wanted.name().toLowerCase(Locale.ROOT)));
  }

  /// Reads a page, without looking through all accounts for a name.
  private static Found read(Source source, Wanted wanted) throws InterruptedException {
    int portion = wanted.name() == null ? wanted.limit() + 1 : MOST_READ;
    List<Jid> found = new ArrayList<>();
    Jid last = wanted.after();
    boolean complete = true;
    for (int reads = 0; reads < MOST_READS; reads++) {
      OnlineAccounts.Found some = source.read(wanted.host(), last, portion);
      complete &= some.complete();
      for (Jid each : some.accounts()) {
        if (matches(each, wanted)) {
          if (found.size() == wanted.limit()) {
            return new Found(found, found.getLast(), complete);
          }
          found.add(each);
        }
        last = each;
      }
      if (some.accounts().size() < portion) {
        return new Found(found, null, complete);
      }
    }
    return new Found(found, last, complete);
  }

  private OnlineAccounts.Found online(
      String host, Activity activity, @Nullable Jid after, int limit) throws InterruptedException {
    BlockingQueue<OnlineAccounts.Found> answers = new ArrayBlockingQueue<>(1);
    online.find(host, activity, after, limit, answers::add);
    OnlineAccounts.Found found = answers.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    return found == null ? new OnlineAccounts.Found(0, List.of(), false) : found;
  }

  // ---- numbers

  private Count count(Counted counted) throws InterruptedException {
    return switch (counted.state()) {
      case ANY -> new Count(registration.count(counted.host()), true);
      case DISABLED -> new Count(countDisabled(counted.host()), true);
      case ONLINE -> count(online(counted.host(), Activity.ONLINE, null, 0));
      case ACTIVE -> count(online(counted.host(), Activity.ACTIVE, null, 0));
      case IDLE -> count(online(counted.host(), Activity.IDLE, null, 0));
    };
  }

  private static Count count(OnlineAccounts.Found found) {
    return new Count(found.count(), found.complete());
  }

  private long countDisabled(String host) {
    long count = 0;
    Jid last = null;
    while (true) {
      List<Jid> some = disabled.list(host, last, AT_A_TIME);
      count += some.size();
      if (some.size() < AT_A_TIME) {
        return count;
      }
      last = some.getLast();
    }
  }
}
