package im.zonda.auth.provider;

import im.zonda.config.accounts.Accounts;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.runtime.ServerRuntime;
import im.zonda.timer.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signs out people whom the provider of their account has disabled or removed, and asks for
/// groups.
///
/// If many are gone at once, that is rather a mistake in the directory or in the settings: they are
/// signed out only if they are still gone at the next look.
public final class ProviderSweep {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderSweep.class);

  /// This number at once, if it is more than half of those who were looked up, is many.
  private static final int MANY = 10;

  /// How often is looked whether it is time for a host.
  private static final Duration OFTEN = Duration.ofSeconds(1);

  private final ProviderChains chains;
  private final KeptGroups groups;
  private final Supplier<List<Jid>> online;
  private final Consumer<Jid> signOut;
  private final InstantSource clock;
  private final Map<String, Set<Jid>> doubted = new HashMap<>();
  private final Map<String, Instant> looked = new HashMap<>();

  /// @param groups is asked at the first look, and as often as people are looked up
  /// @param online the accounts with sessions at this node
  /// @param signOut ends the sessions of an account
  ProviderSweep(
      ProviderChains chains,
      KeptGroups groups,
      Supplier<List<Jid>> online,
      Consumer<Jid> signOut,
      InstantSource clock) {
    this.clock = clock;
    this.chains = chains;
    this.groups = groups;
    this.online = online;
    this.signOut = signOut;
  }

  /// Looks from time to time, as the settings of each host say.
  ///
  /// @param online the accounts with sessions at this node
  /// @param signOut ends the sessions of an account
  public static Scheduler.Cancellable start(
      ProviderChains chains,
      KeptGroups groups,
      Supplier<List<Jid>> online,
      Consumer<Jid> signOut,
      ServerRuntime runtime) {
    ProviderSweep sweep = new ProviderSweep(chains, groups, online, signOut, runtime.clock());
    return PeriodicTask.start(
        runtime.scheduler(),
        OFTEN,
        OFTEN,
        runtime.workers(),
        () -> {
          try {
            sweep.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /// Looks up those who are online at hosts where it is time. Blocks; calls must not overlap.
  void run() throws InterruptedException {
    Instant now = clock.instant();
    Set<String> due = new HashSet<>();
    for (String domain : chains.gates().keySet()) {
      Accounts settings = chains.settings(domain);
      Instant last = looked.get(domain);
      if (last == null) {
        looked.put(domain, now);
        groups.refresh(domain);
      } else if (settings != null && !last.plus(settings.refresh()).isAfter(now)) {
        looked.put(domain, now);
        due.add(domain);
        groups.refresh(domain);
      }
    }
    if (due.isEmpty()) {
      return;
    }
    Map<String, List<Jid>> byDomain = new LinkedHashMap<>();
    for (Jid each : online.get()) {
      if (due.contains(each.domain())) {
        byDomain.computeIfAbsent(each.domain(), _ -> new ArrayList<>()).add(each);
      }
    }
    for (Map.Entry<String, List<Jid>> host : byDomain.entrySet()) {
      ProviderChain chain = chains.find(host.getKey(), Set.of());
      if (chain != null) {
        run(host.getKey(), chain, host.getValue());
      }
    }
  }

  private void run(String host, ProviderChain chain, List<Jid> people) throws InterruptedException {
    List<Jid> gone = new ArrayList<>();
    for (Jid each : people) {
      if (chain.lookAgain(each)) {
        gone.add(each);
      }
    }
    Set<Jid> before = doubted.getOrDefault(host, Set.of());
    doubted.remove(host);
    if (gone.size() >= MANY && gone.size() * 2 > people.size() && !before.containsAll(gone)) {
      doubted.put(host, Set.copyOf(gone));
      LOG.atError()
          .addKeyValue("host", host)
          .addKeyValue("gone", gone.size())
          .addKeyValue("online", people.size())
          .log("many_accounts_gone");
    } else {
      gone.forEach(this::signOut);
    }
  }

  private void signOut(Jid account) {
    LOG.atInfo().addKeyValue("account", account).log("account_gone");
    signOut.accept(account);
  }
}
