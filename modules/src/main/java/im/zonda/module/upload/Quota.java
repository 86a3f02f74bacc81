package im.zonda.module.upload;

import im.zonda.config.Uploads;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import im.zonda.store.UploadStore.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The upload quota of accounts: bytes in 24 hours and in total, and the number of files at a time.
///
/// An upload reserves its size before its first byte is read, so that uploads at the same time
/// cannot exceed the quota together. In a cluster each node counts its own. Any thread may call.
final class Quota {
  private static final Duration DAY = Duration.ofDays(1);
  private static final int LISTED = 1_000;

  private final ModuleContext context;
  private final UploadStore uploads;

  // Guarded by this object's monitor: the uploads that run, by their slots.
  private final Map<String, Slot> running = new HashMap<>();

  private final OpenSlots open = new OpenSlots();

  Quota(ModuleContext context, UploadStore uploads) {
    this.context = context;
    this.uploads = uploads;
  }

  /// Why an account cannot upload a file now.
  ///
  /// @param text a sentence for people
  /// @param retry when it can
  record Exceeded(String text, Instant retry) {}

  /// What an upload may do.
  enum Outcome {
    /// It runs, until it is released.
    RESERVED,
    /// The same slot is used at this moment.
    SAME_SLOT,
    /// The account makes too many uploads at once.
    ACCOUNT_BUSY,
    /// The host has too many uploads at once.
    HOST_BUSY,
    /// The account has uploaded too much.
    EXCEEDED
  }

  private Uploads settings() {
    return context.config().services().uploads();
  }

  private Instant dayAgo() {
    return context.clock().instant().minus(DAY);
  }

  /// Checks whether an account may upload a file of that size; null if it may. Blocks.
  @Nullable Exceeded check(Jid owner, long size) {
    return check(owner, size, 1);
  }

  private @Nullable Exceeded check(Jid owner, long size, int files) {
    Uploads limits = settings();
    long most = Math.min(limits.dayBytes(), limits.accountBytes());
    Usage day = uploads.usage(owner, dayAgo());
    long moreBytes = day.bytes() + size - most;
    long moreFiles = day.files() + files - limits.dayFiles();
    if (moreBytes <= 0 && moreFiles <= 0) {
      return null;
    }
    String text =
        moreFiles > 0
            ? "Quota reached. You can only upload " + limits.dayFiles() + " files in 24 hours"
            : "Quota reached. You can only upload " + most + " bytes in 24 hours";
    return new Exceeded(text, retry(owner, moreBytes, moreFiles));
  }

  /// Counts a new slot among the open ones of its account; null if the account may have it.
  @Nullable Exceeded open(Slot slot) {
    Instant retry = open.add(slot, context.clock().instant());
    return retry == null
        ? null
        : new Exceeded("You can only have " + OpenSlots.MAX + " slots that are not used", retry);
  }

  /// The slot has its file.
  void used(Slot slot) {
    open.used(slot);
  }

  /// When files of that size and number will be older than a day.
  private Instant retry(Jid owner, long bytes, long files) {
    long leftBytes = bytes;
    long leftFiles = files;
    for (Upload upload : uploads.list(owner, dayAgo(), LISTED)) {
      leftBytes -= upload.size();
      leftFiles--;
      if (leftBytes <= 0 && leftFiles <= 0) {
        return upload.created().plus(DAY).plusMillis(1);
      }
    }
    return context.clock().instant().plus(DAY);
  }

  /// Reserves what the file of a slot needs. Blocks.
  ///
  /// What other uploads have reserved is added before the store is asked, so an upload that ends in
  /// between is counted twice rather than not at all.
  Outcome reserve(Slot slot) {
    long bytes = 0;
    int files = 0;
    synchronized (this) {
      if (running.containsKey(slot.id())) {
        return Outcome.SAME_SLOT;
      }
      if (running.size() >= settings().simultaneous()) {
        return Outcome.HOST_BUSY;
      }
      for (Slot each : running.values()) {
        if (each.owner().equals(slot.owner())) {
          bytes += each.size();
          files++;
        }
      }
      if (files >= settings().simultaneousPerAccount()) {
        return Outcome.ACCOUNT_BUSY;
      }
      running.put(slot.id(), slot);
    }
    boolean exceeded = true;
    try {
      exceeded = check(slot.owner(), bytes + slot.size(), files + 1) != null;
    } finally {
      if (exceeded) {
        release(slot);
      }
    }
    return exceeded ? Outcome.EXCEEDED : Outcome.RESERVED;
  }

  /// The upload of a slot has ended.
  synchronized void release(Slot slot) {
    running.remove(slot.id());
  }

  /// Removes the oldest files of an account that has more than it may, but none of the last 24
  /// hours. Blocks.
  void trim(Jid owner) {
    long over = uploads.usage(owner, Instant.EPOCH).bytes() - settings().accountBytes();
    Instant dayAgo = dayAgo();
    while (over > 0) {
      List<String> removed = new ArrayList<>();
      for (Upload upload : uploads.list(owner, Instant.EPOCH, LISTED)) {
        if (over <= 0 || !upload.created().isBefore(dayAgo)) {
          break;
        }
        removed.add(upload.slot());
        over -= upload.size();
      }
      if (removed.isEmpty()) {
        return;
      }
      uploads.remove(removed);
    }
  }
}
