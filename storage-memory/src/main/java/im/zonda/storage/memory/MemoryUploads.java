package im.zonda.storage.memory;

import im.zonda.jid.Jid;
import im.zonda.storage.memory.MemoryData.Owner;
import im.zonda.store.UploadStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files that accounts have uploaded.
record MemoryUploads(MemoryDatabase database) implements UploadStore {
  private static final Comparator<Upload> AGE =
      Comparator.comparing(Upload::created).thenComparing(Upload::slot);

  @Override
  public boolean add(Upload upload) {
    return database.call(() -> {
      Owner owner = database.data().require(upload.owner());
      return !slots().contains(upload.slot()) && owner.uploads.put(upload.slot(), upload) == null;
    });
  }

  private Set<String> slots() {
    return all().map(Upload::slot).collect(Collectors.toSet());
  }

  private Stream<Upload> all() {
    return database.data().owners.values().stream().flatMap(each -> each.uploads.values().stream());
  }

  @Override
  public @Nullable Upload find(String slot) {
    return database.<@Nullable Upload>call(
        () -> all().filter(each -> each.slot().equals(slot)).findFirst().orElse(null));
  }

  private Stream<Upload> of(Jid owner, Instant since) {
    return all().filter(each -> each.owner().equals(owner) && !each.created().isBefore(since));
  }

  @Override
  public List<Upload> list(Jid owner, Instant since, int limit) {
    return database.call(() -> of(owner, since).sorted(AGE).limit(limit).toList());
  }

  @Override
  public Usage usage(Jid owner, Instant since) {
    return database.call(() -> {
      List<Upload> found = of(owner, since).toList();
      return new Usage(found.size(), found.stream().mapToLong(Upload::size).sum());
    });
  }

  @Override
  public List<String> outdated(String domain, Instant before, Instant now, int limit) {
    return database.call(() ->
        all()
            .filter(each -> each.owner().domain().equals(domain))
            .filter(each -> {
              Instant expires = each.expires();
              return each.created().isBefore(before) || (expires != null && !expires.isAfter(now));
            })
            .sorted(AGE)
            .limit(limit)
            .map(Upload::slot)
            .toList());
  }

  @Override
  public int remove(Collection<String> slots) {
    return database.call(() -> {
      int removed = 0;
      for (Owner owner : database.data().owners.values()) {
        int before = owner.uploads.size();
        owner.uploads.keySet().removeAll(new HashSet<>(slots));
        removed += before - owner.uploads.size();
      }
      return removed;
    });
  }

  @Override
  public Set<String> used(Set<String> hashes) {
    return database.call(
        () -> all().map(Upload::hash).filter(hashes::contains).collect(Collectors.toSet()));
  }
}
