package im.zonda.edge.core;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// The processes that have the homes of sessions: this one, or the nodes of its cluster. Each start
/// of a process has another name. Any thread may call.
public interface HomeProcesses {
  /// The process that has the home of an account; null if that is not known at present.
  @Nullable String of(Jid account);

  /// Whether that process may still have homes. A session that was there and cannot be found has
  /// ended, and must not be recovered.
  boolean isRunning(String process);

  /// One process, which has all homes.
  ///
  /// @param name its name
  static HomeProcesses one(String name) {
    return new HomeProcesses() {
      @Override
      public String of(Jid account) {
        return name;
      }

      @Override
      public boolean isRunning(String process) {
        return name.equals(process);
      }
    };
  }
}
