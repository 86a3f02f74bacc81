package im.zonda.module.testing;

import im.zonda.file.FileContents;
import im.zonda.http.HttpContent;
import im.zonda.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Contents of files in memory. All are older than any time that is given.
public final class TestFiles implements FileContents {
  private final Map<String, byte[]> contents = new TreeMap<>();
  private int open;
  private boolean full;
  private boolean away;

  /// The hashes of what is stored.
  public Set<String> hashes() {
    return contents.keySet();
  }

  /// How many contents are being written.
  public int open() {
    return open;
  }

  /// From now on there is no room.
  public void fill() {
    full = true;
  }

  /// From now on nothing can be read, and nothing written to what has begun.
  public void fail() {
    away = true;
  }

  private static StoreException unavailable() {
    return new StoreException(StoreException.Category.UNAVAILABLE, "the test wants it so", null);
  }

  @Override
  public Incoming begin(long length) {
    if (full) {
      throw new StoreException(StoreException.Category.FULL, "the test wants it so", null);
    }
    open++;
    return new Part();
  }

  @Override
  public @Nullable HttpContent read(String hash, long offset, long length) {
    if (away) {
      throw unavailable();
    }
    byte[] all = contents.get(hash);
    return all == null
        ? null
        : new HttpContent.Bytes(Arrays.copyOfRange(all, (int) offset, (int) (offset + length)));
  }

  @Override
  public int removeUnused(Instant before, UnaryOperator<Set<String>> used) {
    int count = contents.size();
    contents.keySet().retainAll(used.apply(Set.copyOf(contents.keySet())));
    return count - contents.size();
  }

  private final class Part implements Incoming {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void append(byte[] source, int offset, int length) {
      if (away) {
        throw unavailable();
      }
      bytes.write(source, offset, length);
    }

    @Override
    public String finish() {
      byte[] all = bytes.toByteArray();
      try {
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
        contents.put(hash, all);
        return hash;
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      open--;
    }
  }
}
