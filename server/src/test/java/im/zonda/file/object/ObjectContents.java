package im.zonda.file.object;

import im.zonda.file.FileContents;
import im.zonda.http.HttpContent;
import im.zonda.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Stores each content as an object `hash/number`. A content that is finished again is one more
/// object, so that an old one can be deleted without a condition; the newest of those that are used
/// is kept. Parts of a content are `part/number/…` until it is finished, in place of a multipart
/// upload.
final class ObjectContents implements FileContents {
  private static final int MOST_BYTES = 1_000_000;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final String PARTS = "part/";

  private final Bucket bucket;
  private final String number;

  /// @param number is unique; each store begins one content
  ObjectContents(Bucket bucket, String number) {
    this.bucket = bucket;
    this.number = number;
  }

  @Override
  public Incoming begin(long length) {
    if (length > MOST_BYTES) {
      throw new StoreException(StoreException.Category.FULL, "too large: " + length, null);
    }
    return new Part();
  }

  @Override
  public @Nullable HttpContent read(String hash, long offset, long length) {
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException("not a hash: " + hash);
    }
    List<Bucket.Listed> objects = bucket.list(hash + "/", "");
    if (objects.isEmpty()) {
      return null;
    }
    String key = objects.getLast().key();
    return new HttpContent.Streamed(
        length,
        output -> {
          byte[] part = bucket.get(key, Math.toIntExact(offset), Math.toIntExact(length));
          if (part == null) {
            throw new IOException("removed meanwhile: " + hash);
          }
          output.write(part, 0, part.length);
        });
  }

  @Override
  public int removeUnused(Instant before, UnaryOperator<Set<String>> used) {
    int count = 0;
    String after = "";
    boolean last;
    do {
      List<Bucket.Listed> page = bucket.list("", after);
      last = Bucket.isLast(page);
      after = page.isEmpty() ? after : page.getLast().key();
      count += removeUnused(page, before, used);
    } while (!last);
    return count;
  }

  private int removeUnused(
      List<Bucket.Listed> page, Instant before, UnaryOperator<Set<String>> used) {
    List<Bucket.Listed> old = new ArrayList<>();
    Set<String> hashes = new HashSet<>();
    for (Bucket.Listed each : page) {
      if (each.modified().isBefore(before)) {
        old.add(each);
        if (!each.key().startsWith(PARTS)) {
          hashes.add(hash(each));
        }
      }
    }
    Set<String> kept = hashes.isEmpty() ? Set.of() : used.apply(hashes);
    Set<String> removed = new HashSet<>();
    for (Bucket.Listed each : old) {
      if (!kept.contains(hash(each)) || hasNewer(each)) {
        bucket.delete(each.key());
        if (hashes.contains(hash(each)) && bucket.list(hash(each) + "/", "").isEmpty()) {
          removed.add(hash(each));
        }
      }
    }
    return removed.size();
  }

  private static String hash(Bucket.Listed object) {
    return object.key().substring(0, object.key().indexOf('/'));
  }

  private boolean hasNewer(Bucket.Listed object) {
    return bucket.list(hash(object) + "/", object.key()).stream()
        .anyMatch(each -> !each.modified().isBefore(object.modified()));
  }

  private final class Part implements Incoming {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void append(byte[] source, int offset, int length) {
      bytes.write(source, offset, length);
      bucket.put(PARTS + number, bytes.toByteArray());
    }

    @Override
    public String finish() {
      byte[] all = bytes.toByteArray();
      String hash;
      try {
        hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
      bucket.put(hash + "/" + number, all);
      return hash;
    }

    @Override
    public void close() {
      bucket.delete(PARTS + number);
    }
  }
}
