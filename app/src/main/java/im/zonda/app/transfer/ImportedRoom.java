package im.zonda.app.transfer;

import im.zonda.jid.Jid;
import im.zonda.store.RoomStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A room of another server without its messages.
///
/// @param jid its bare address
/// @param origin where it was found, for the administrator
/// @param created when it was created, or null if that is unknown
/// @param config values by the fields of the form (XEP-0045, section 15.5.3)
/// @param affiliations without those of `none`
/// @param subject the subject, or null
public record ImportedRoom(
    Jid jid,
    String origin,
    @Nullable Instant created,
    Map<String, List<String>> config,
    List<RoomStore.Affiliation> affiliations,
    @Nullable Subject subject) {
  /// Copies the collections.
  public ImportedRoom {
    config = new LinkedHashMap<>(config);
    affiliations = List.copyOf(affiliations);
  }

  /// A subject.
  ///
  /// @param author the nickname of the one who has set it; empty if that is unknown
  /// @param time when, or null if that is unknown
  public record Subject(String text, String author, @Nullable Instant time) {}
}
