package im.zonda.account;

import im.zonda.jid.Jid;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The accounts that have sessions. Any thread may call; nothing blocks.
public interface OnlineAccounts {
  /// Which accounts are meant.
  enum Activity {
    /// Those with a session.
    ONLINE,
    /// Those with a session whose client is active ([im.zonda.session.Session#isAsleep]).
    ACTIVE,
    /// Those with sessions none of whose clients is active.
    IDLE
  }

  /// What was found.
  ///
  /// @param count how many accounts there are, also before those that are wanted
  /// @param accounts those that are wanted, in order
  /// @param complete false if a node of the cluster has not answered
  record Found(long count, List<Jid> accounts, boolean complete) {}

  /// Finds the accounts of a host, at all nodes of a cluster.
  ///
  /// @param after the address after which those start that are wanted; null for the first ones
  /// @param limit how many addresses are wanted
  /// @param answer called once, on any thread; must not block
  void find(
      String domain, Activity activity, @Nullable Jid after, int limit, Consumer<Found> answer);

  /// Whether an account may have a session: false only if its home is at this node and is not
  /// loaded. For those who would send something to many that is of no use without a session.
  ///
  /// @param account a bare address
  default boolean canBeOnline(Jid account) {
    return true;
  }
}
