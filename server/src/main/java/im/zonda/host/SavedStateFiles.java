package im.zonda.host;

import im.zonda.home.session.SessionSnapshot;
import im.zonda.home.session.SessionSnapshotCodec;
import im.zonda.jid.Jid;
import im.zonda.module.SavedState;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Saves the state of modules as files `<name>.<domain>` in the data folder, and the sessions.
///
/// @param folder the data folder; null if nothing is saved, and what is saved is left to another
///   server
record SavedStateFiles(@Nullable Path folder) implements SavedState {
  private static final Pattern WORD = Pattern.compile("[a-z]+");

  @Override
  public <T> void save(Jid domain, Codec<T> form, List<T> entries) {
    if (folder != null) {
      file(folder, domain, form).write(entries);
    }
  }

  @Override
  public <T> List<T> take(Jid domain, Codec<T> form) {
    return folder == null ? List.of() : file(folder, domain, form).take();
  }

  /// The sessions that were saved before the last start, once.
  List<SessionSnapshot> takeSessions() {
    return folder == null ? List.of() : sessions(folder).take();
  }

  /// Saves the sessions.
  void saveSessions(List<SessionSnapshot> sessions) {
    if (folder != null) {
      sessions(folder).write(sessions);
    }
  }

  private static RestartFile<SessionSnapshot> sessions(Path folder) {
    SessionSnapshotCodec codec = new SessionSnapshotCodec();
    return new RestartFile<>(folder.resolve(codec.name()), codec);
  }

  private static <T> RestartFile<T> file(Path folder, Jid domain, Codec<T> form) {
    if (!WORD.matcher(form.name()).matches()) {
      throw new IllegalArgumentException("not a lower-case word: " + form.name());
    }
    return new RestartFile<>(folder.resolve(form.name() + "." + domain.domain()), form);
  }
}
