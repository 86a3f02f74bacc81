package im.zonda.home.account;

import im.zonda.home.HomeTask;
import im.zonda.home.Homes;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.InboundFlow;
import im.zonda.module.Origin;
import im.zonda.module.Scheduler;
import im.zonda.route.ErrorReplies;
import im.zonda.route.RouterStats;
import im.zonda.route.Routes;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds the home of an account, and submits tasks to it. Any thread may call; nothing here blocks.
///
/// @param routes where stanzas go
/// @param stats what the router counted
/// @param homes how homes are loaded and run
/// @param scheduler runs tasks later
public record AccountRegistry(
    Routes routes, RouterStats stats, Homes.Setup homes, Scheduler scheduler) {
  /// The host of an account; null if the domain is none of this server's.
  public @Nullable HostAccounts hostOf(Jid account) {
    return routes.to(account) instanceof HostAccounts host ? host : null;
  }

  /// Runs `task`, which may block, for the stanza that is being handled at its home, before other
  /// tasks that wait there: stanzas keep their order.
  public void submitNext(AccountHome home, Envelope envelope, Consumer<AccountHome> task) {
    HostAccounts host = hostOf(home.jid());
    if (host == null) {
      routes.errors().reject(envelope, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return;
    }
    Origin origin = envelope.origin();
    origin.hold();
    host.homes()
        .submitNext(
            home.jid(),
            new HomeTask<>() {
              @Override
              public void run(AccountHome later) {
                task.accept(later);
                origin.release();
              }

              @Override
              public void failed(Throwable cause) {
                stats.failed.increment();
                if (ErrorReplies.isOver(cause) || ErrorReplies.isUndelivered(envelope, cause)) {
                  return;
                }
                try {
                  routes.errors().rejectFailed(envelope, cause);
                } finally {
                  origin.release();
                }
              }
            });
  }

  /// Runs `task`, which may block, at an account's home after a delay.
  public void submitLater(Duration delay, Jid account, HomeTask<AccountHome> task) {
    scheduler.schedule(delay, () -> submit(account, true, task));
  }

  /// Runs `task` at an account's home, unless its host has been removed.
  ///
  /// @param mayBlock whether the task may block
  public void submit(Jid account, boolean mayBlock, HomeTask<AccountHome> task) {
    submit(account, mayBlock ? HomeTask.blocking(task) : task, null);
  }

  /// Runs `task` at an account's home, unless its host has been removed.
  ///
  /// @param flow the stream to pause while too much waits there, or null
  /// @return false if it was not accepted
  public boolean submit(Jid account, HomeTask<AccountHome> task, @Nullable InboundFlow flow) {
    HostAccounts host = hostOf(account);
    return host != null && host.homes().submit(account, task, flow);
  }

  /// Runs `task` at an account's home if that is loaded, as it is while it has sessions.
  public void submitIfLoaded(Jid account, HomeTask<AccountHome> task) {
    HostAccounts host = hostOf(account);
    boolean _ = host != null && host.homes().submitIfLoaded(account, task);
  }

  /// Runs `task`, which cannot block, at an account's home, for a thread that must not run other
  /// tasks that wait there.
  ///
  /// @return false if it was not accepted
  public boolean submitAlone(Jid account, HomeTask<AccountHome> task) {
    HostAccounts host = hostOf(account);
    return host != null && host.homes().submitAlone(account, task);
  }

  /// Whether the caller runs within a task at that account's home.
  public boolean isRunningAt(Jid account) {
    HostAccounts host = hostOf(account);
    return host != null && host.homes().isRunningAt(account);
  }

  /// Answers the sender of a stanza with an error.
  public void refuse(Stanza stanza, StanzaError error) {
    routes.errors().reject(stanza, error);
  }

  /// What the modules of that host have declared, or null if the domain is no virtual host, or is
  /// being removed.
  public @Nullable Dispatch host(Jid jid) {
    HostAccounts host = hostOf(jid);
    return host == null || host.dispatch().isClosed() ? null : host.dispatch();
  }
}
