package im.zonda.store;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Files that accounts have uploaded (XEP-0363), without their contents
/// ([im.zonda.file.FileContents]). Removing an account removes its files.
///
/// Every change is durable when the call returns. Calls block.
public interface UploadStore {
  /// The maximum length of a slot's identifier, in ASCII characters.
  int MAX_SLOT_LENGTH = 64;

  /// The maximum length of the name of a file and of its media type, in bytes of UTF-8.
  int MAX_NAME_BYTES = 255;

  /// A file.
  ///
  /// @param slot the identifier of its slot, unique in the database
  /// @param owner the account that has uploaded it
  /// @param name its name
  /// @param type its media type
  /// @param size in bytes
  /// @param hash of its content
  /// @param created when it was uploaded, to the microsecond
  /// @param expires when it must no longer be available; null if its owner has not said
  record Upload(
      String slot,
      Jid owner,
      String name,
      String type,
      long size,
      String hash,
      Instant created,
      @Nullable Instant expires) {
    /// @throws IllegalArgumentException if a text is too long
    public Upload {
      if (slot.length() > MAX_SLOT_LENGTH || isTooLong(name) || isTooLong(type)) {
        throw new IllegalArgumentException("a text of the file is too long: " + name);
      }
    }

    private static boolean isTooLong(String text) {
      return text.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES;
    }
  }

  /// Files of an account.
  ///
  /// @param files how many
  /// @param bytes the sum of their sizes
  record Usage(long files, long bytes) {}

  /// Adds a file.
  ///
  /// @return false if the slot has one already
  /// @throws IllegalStateException if there is no such account
  boolean add(Upload upload);

  /// The file of a slot, or null.
  @Nullable Upload find(String slot);

  /// Files of an account, the oldest first, that were uploaded at that time or later, at most
  /// `limit`.
  List<Upload> list(Jid owner, Instant since, int limit);

  /// The files of an account that were uploaded at that time or later.
  Usage usage(Jid owner, Instant since);

  /// The files of several accounts of a domain, in one query if the database allows it; those
  /// without files are missing.
  default Map<Jid, Usage> usages(String domain, Collection<Jid> owners) {
    Map<Jid, Usage> usages = new HashMap<>();
    for (Jid each : owners) {
      Usage usage = usage(each, Instant.EPOCH);
      if (usage.files() > 0) {
        usages.put(each, usage);
      }
    }
    return usages;
  }

  /// Slots of a domain's files that were uploaded before a time, or have expired, the oldest first,
  /// at most `limit`.
  ///
  /// @param now the time at which those have expired
  List<String> outdated(String domain, Instant before, Instant now, int limit);

  /// Removes the files of these slots.
  ///
  /// @return how many there were
  int remove(Collection<String> slots);

  /// The hashes among these that a file has.
  Set<String> used(Set<String> hashes);
}
