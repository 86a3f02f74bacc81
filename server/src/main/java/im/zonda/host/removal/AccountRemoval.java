package im.zonda.host.removal;

import im.zonda.account.RemovedUser;
import im.zonda.home.router.StanzaRouter;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.IdSource;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Presence;
import im.zonda.stanza.StanzaError;
import im.zonda.store.AccountStore.Removed;
import im.zonda.store.PubSubStore;
import im.zonda.store.StoreException;
import im.zonda.store.Stores;
import im.zonda.store.Subscription;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes back what others have given to accounts that were removed: subscriptions, affiliations
/// with rooms and nodes, hats. Every way to remove an account ends here.
///
/// The store reserves the address when it removes the account. Here the contacts are notified (RFC
/// 6121, sections 3.2 and 3.3), then the homes of rooms, of nodes and of local contacts are asked
/// to forget the user, in rounds, until the stores find nothing more; only then is the address
/// free. A process that ends before leaves the rest to [#resume].
///
/// Bans of rooms and nodes stay, and so do block lists and archives of others: they are not rights
/// of the user.
public final class AccountRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(AccountRemoval.class);

  /// How many requests are under way for one account.
  private static final int ROUND = 100;

  /// How many removed accounts of a host one run looks at.
  private static final int ACCOUNTS = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final QName UNAVAILABLE =
      new QName(Namespaces.STANZA_ERRORS, "service-unavailable");
  private static final String HATS = "hats";
  private static final String ALL_HATS = "all";

  private final Stores stores;
  private final StanzaRouter router;
  private final IdSource ids;
  private final Executor workers;
  private final StoredTraces traces;
  private final Supplier<List<Jid>> services;
  private final Set<Jid> running = ConcurrentHashMap.newKeySet();

  /// Removed accounts whose contacts this process has notified, until the address is released.
  private final Set<Removed> notified = ConcurrentHashMap.newKeySet();

  /// @param services the domains of the services of this server
  public AccountRemoval(
      Stores stores, StanzaRouter router, ServerRuntime runtime, Supplier<List<Jid>> services) {
    this.stores = stores;
    this.router = router;
    this.ids = runtime.ids();
    this.workers = runtime.workers();
    this.traces = new StoredTraces(stores);
    this.services = services;
  }

  /// Removes an account; false if there is none. Its sessions are not ended. The rest follows after
  /// the call. Blocks.
  public boolean remove(Jid account) {
    if (!stores.accounts().remove(account)) {
      return false;
    }
    workers.execute(() -> resumeOne(account));
    return true;
  }

  /// Removes accounts as [#remove] does. Those that are contacts of each other are not notified of
  /// it. Blocks.
  ///
  /// @param next others that will be removed next, and are not notified either: their subscriptions
  ///   to these are removed with them
  /// @return those that were removed
  public List<Jid> removeAll(Set<Jid> accounts, Set<Jid> next) {
    Stores.Removal removal = stores.removeAccounts(accounts, next, namedByHats(accounts));
    if (!removal.reserved().isEmpty()) {
      workers.execute(() -> removal.reserved().forEach(this::resumeOne));
    }
    return removal.removed();
  }

  /// Those of some accounts that the hats of a room name, or perhaps an address that contains them.
  private Set<Jid> namedByHats(Set<Jid> accounts) {
    Set<Jid> named = new HashSet<>();
    for (Jid service : services.get()) {
      Jid last = null;
      SequencedMap<Jid, byte[]> page;
      do {
        page =
            stores.keyValues(HATS).find(service.domain(), ALL_HATS, new byte[] {'@'}, last, ROUND);
        for (byte[] each : page.values()) {
          String hats = new String(each, StandardCharsets.UTF_8);
          accounts.stream().filter(user -> hats.contains(user.toString())).forEach(named::add);
        }
        last = page.isEmpty() ? null : page.lastEntry().getKey();
      } while (page.size() == ROUND);
    }
    return named;
  }

  /// Resumes the removal of the accounts of a host whose addresses are still reserved. Blocks.
  public void resume(Jid host) {
    Jid from = null;
    Set<Removed> reserved = new HashSet<>();
    List<Removed> page;
    do {
      page = stores.accounts().removed(host.domain(), from, ACCOUNTS);
      for (Removed each : page) {
        from = each.jid();
        reserved.add(each);
        begin(each);
      }
    } while (page.size() == ACCOUNTS);
    // Another node may have released the rest.
    notified.removeIf(each ->
        each.jid().domain().equals(host.domain())
            && !reserved.contains(each)
            && !running.contains(each.jid()));
  }

  private void resumeOne(Jid account) {
    for (Removed each : stores.accounts().removed(account.domain(), account, 1)) {
      if (each.jid().equals(account)) {
        begin(each);
      }
    }
  }

  private void begin(Removed account) {
    if (running.add(account.jid())) {
      new Run(account).start();
    }
  }

  /// Something that a user has with someone else.
  ///
  /// @param kind the payload of the request to forget it
  /// @param owner the room, the contact, or the owner of the node
  /// @param node the name of the node, or null
  private record Trace(QName kind, Jid owner, @Nullable String node) {}

  /// One attempt for one account. Its steps follow each other, on any thread.
  private final class Run {
    private final Removed account;
    private final Set<Trace> asked = ConcurrentHashMap.newKeySet();
    private final Queue<Trace> withoutHome = new ConcurrentLinkedQueue<>();
    private boolean hatsAreAsked;

    Run(Removed account) {
      this.account = account;
    }

    void start() {
      try {
        if (!notified.contains(account)) {
          account.contacts().forEach(this::unsubscribe);
          notified.add(account);
        }
      } catch (RuntimeException e) {
        fail(e); // until the next attempt
        return;
      }
      next();
    }

    private void unsubscribe(Jid contact, Subscription subscription) {
      if (subscription.from()) {
        send(contact, Presence.Type.UNSUBSCRIBED);
      }
      if (subscription.to()) {
        send(contact, Presence.Type.UNSUBSCRIBE);
      }
    }

    private void send(Jid contact, Presence.Type type) {
      Presence presence = Presence.of(type, account.jid(), contact, ids.next(), List.of());
      router.routes().route(Envelope.of(presence));
    }

    /// Begins a round; the last one finds nothing and releases the address. Blocks.
    private void next() {
      try {
        for (Trace each = withoutHome.poll(); each != null; each = withoutHome.poll()) {
          traces.remove(each.kind(), account.jid(), each.owner(), each.node());
        }
        List<Trace> found = find();
        if (found.isEmpty()) {
          stores.accounts().release(account.jid());
          notified.remove(account);
          end("account_address_released");
        } else if (asked.containsAll(found)) {
          end("account_address_reserved"); // until the next attempt
        } else {
          found.removeIf(each -> !asked.add(each));
          ask(found);
        }
      } catch (StoreException e) {
        fail(e);
      } catch (RuntimeException e) {
        running.remove(account.jid());
        throw e;
      }
    }

    private void fail(RuntimeException cause) {
      running.remove(account.jid());
      LOG.atWarn().addKeyValue("jid", account.jid()).setCause(cause).log("account_removal_failed");
    }

    private void end(String event) {
      running.remove(account.jid());
      LOG.atInfo().addKeyValue("jid", account.jid()).log(event);
    }

    private List<Trace> find() {
      Jid user = account.jid();
      List<Trace> found = new ArrayList<>();
      for (Jid owner : stores.rosters().subscribedOwners(user, ROUND)) {
        found.add(new Trace(RemovedUser.CONTACT, owner, null));
      }
      for (Jid room : stores.rooms().affiliatedRooms(user, ROUND)) {
        found.add(new Trace(RemovedUser.ROOM, room, null));
      }
      for (PubSubStore.Place place : stores.pubSub().placesOf(user, ROUND)) {
        found.add(new Trace(RemovedUser.NODE, place.owner(), place.node()));
      }
      if (!hatsAreAsked) {
        hatsAreAsked = true;
        findHats(found);
      }
      return found;
    }

    /// Finds the rooms whose hats name the user; perhaps also some whose hats name an address that
    /// contains it.
    private void findHats(List<Trace> found) {
      byte[] name = account.jid().toString().getBytes(StandardCharsets.UTF_8);
      for (Jid service : services.get()) {
        for (Jid room :
            stores.keyValues(HATS).find(service.domain(), ALL_HATS, name, null, ROUND).keySet()) {
          Trace trace = new Trace(RemovedUser.ROOM, room, null);
          if (!found.contains(trace)) {
            found.add(trace);
          }
        }
      }
    }

    private void ask(List<Trace> all) {
      AtomicInteger missing = new AtomicInteger(all.size());
      for (Trace each : all) {
        Iq request =
            RemovedUser.request(each.kind(), account.jid(), each.owner(), each.node(), ids.next());
        Consumer<Iq> answered =
            answer -> {
              if (isUnavailable(answer)) {
                withoutHome.add(each);
              }
              if (missing.decrementAndGet() == 0) {
                workers.execute(this::next);
              }
            };
        if (router.routes().isServed(each.owner().domain())) {
          router.externalComponents().request(request, account.jid(), PATIENCE, answered);
        } else {
          answered.accept(Iq.error(request, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE)));
        }
      }
    }
  }

  /// Whether no module answers such requests, so that nobody has in memory what the stores have.
  private static boolean isUnavailable(Iq answer) {
    Element error = answer.isError() ? answer.payload(ERROR) : null;
    return error != null && error.child(UNAVAILABLE) != null;
  }
}
