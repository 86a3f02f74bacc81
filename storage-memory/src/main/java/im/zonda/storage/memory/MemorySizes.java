package im.zonda.storage.memory;

import im.zonda.size.SizeStore;
import im.zonda.store.UploadStore.Upload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Sizes of domains. It counts, however much there is.
record MemorySizes(MemoryDatabase database) implements SizeStore {
  @Override
  public Measured measure(int rows, RandomGenerator random) {
    return database.call(() -> {
      Map<String, Size> sizes = new TreeMap<>();
      database
          .data()
          .owners
          .forEach((jid, owner) -> {
            long bytes =
                owner.log.values().stream()
                    .mapToLong(each ->
                        each.entry()
                            .message()
                            .toElement()
                            .toString()
                            .getBytes(StandardCharsets.UTF_8)
                            .length)
                    .sum();
            Size size =
                new Size(
                    jid.domain(),
                    owner.log.size(),
                    bytes,
                    owner.account == null ? 0 : 1,
                    owner.room == null ? 0 : 1,
                    owner.uploads.size(),
                    owner.uploads.values().stream().mapToLong(Upload::size).sum());
            sizes.merge(jid.domain(), size, Size::plus);
          });
      sizes.values().removeIf(each -> each.equals(Size.of(each.domain())));
      return new Measured(List.copyOf(sizes.values()), false);
    });
  }
}
