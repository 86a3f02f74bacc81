package im.zonda.home;

import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Homes that hold their own address as text, and say what was done with them.
final class RecordingKind implements HomeKind<String> {
  /// What happened, in order: `load`, `accept`, `failed`, `finished`, `unloaded`, each with the
  /// address or the stanza's id.
  final List<String> events = new ArrayList<>();

  /// Homes that cannot be unloaded.
  final Set<String> needed = new HashSet<>();

  /// Homes that are loaded again for each task.
  final Set<String> fleeting = new HashSet<>();

  /// Runs in place of nothing when a stanza is accepted.
  Consumer<Envelope> accepted = envelope -> {};

  /// Is called with each address that is loaded.
  Consumer<Jid> loaded = jid -> {};

  /// Runs while a home is being unloaded.
  Runnable unloading = () -> {};

  boolean mayBlock;

  @Override
  public String load(Jid address) {
    events.add("load " + address);
    loaded.accept(address);
    return address.toString();
  }

  @Override
  public boolean isLasting(String home) {
    return !fleeting.contains(home);
  }

  @Override
  public boolean mayBlock(String home, Envelope envelope) {
    return mayBlock;
  }

  @Override
  public void accept(String home, Envelope envelope) {
    events.add("accept " + envelope.stanza().id());
    accepted.accept(envelope);
  }

  @Override
  public boolean failed(Envelope envelope, Throwable cause) {
    events.add("failed " + envelope.stanza().id());
    return true;
  }

  @Override
  public void finished(Envelope envelope) {
    events.add("finished " + envelope.stanza().id());
  }

  @Override
  public boolean canUnload(String home) {
    if (home.startsWith("broken")) {
      throw new IllegalStateException("a home that does not know");
    }
    return !needed.contains(home);
  }

  @Override
  public void unloaded(String home) {
    events.add("unloaded " + home);
    unloading.run();
  }
}
