package im.zonda.storage.sql.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.config.Storage;
import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.storage.contract.StoresContract;
import im.zonda.storage.sql.SqlStores;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Any bytes as a row of the archive's index, any entries in it, and any text as a search. Runs the
/// committed seeds; `./zonda test --fuzz` searches for more.
class ArchiveFuzzTest {
  private static final Jid ROMEO = Jid.of("romeo@example.net");
  private static final Jid JULIET = Jid.of("juliet@example.net");
  private static final String BODY =
      "But soft! Ünïcode 東京 x1 what light, through \"yonder\" (window)?";
  private static final Portion ONE = new Portion(false, 1, 1 << 20);

  @TempDir private static Path folder;
  private static SqlStores stores;

  @BeforeAll
  static void openStores() {
    stores =
        SqlStores.openWithoutSync(
            folder.resolve("zonda.db"),
            new Storage(true, true, 0, 512, true),
            Limits.defaults(),
            InstantSource.system());
    stores.accounts().create(List.of(StoresContract.account(ROMEO)));
    StoresContract.append(stores, ROMEO, JULIET, BODY);
    stores.messages().flush();
  }

  @AfterAll
  static void closeStores() {
    stores.close();
  }

  /// A damaged row ends in an error that says so, and not in entries without end.
  @FuzzTest(maxDuration = "2m")
  void anyRow(byte[] data) {
    ChunkDecoder decoder = new ChunkDecoder(data);
    int entries = 0;
    try {
      while (decoder.next()) {
        entries++;
        assertThat(decoder.resource()).isBetween(0, 255);
      }
    } catch (StoreException e) {
      assertThat(e.category()).isEqualTo(StoreException.Category.DAMAGED);
    }
    assertThat(entries).isLessThanOrEqualTo(data.length);
  }

  private record Indexed(long key, long id, int resource) implements Comparable<Indexed> {
    @Override
    public int compareTo(Indexed other) {
      return key == other.key ? Long.compare(id, other.id) : Long.compare(key, other.key);
    }
  }

  /// What is packed is unpacked as the same, and a row is never larger than its page allows.
  @FuzzTest(maxDuration = "2m")
  void anyEntries(byte[] data) {
    TreeSet<Indexed> entries = new TreeSet<>();
    for (ByteBuffer in = ByteBuffer.wrap(data); in.remaining() >= 18; ) {
      long owner = in.getLong() & 0x7F_FFFF_FFFFL;
      int with = in.getShort() & 0xFFFF;
      long key = with == 0 ? IndexKey.byTime(owner) : IndexKey.byPeer(owner, with << 8);
      entries.add(new Indexed(key, in.getLong() >>> 3, with == 0 ? 0 : with & 0xFF));
    }
    List<Indexed> packed = new ArrayList<>();
    ChunkEncoder encoder = new ChunkEncoder();
    for (Indexed entry : entries) {
      if (!encoder.isFull()) {
        encoder.add(entry.key(), entry.id(), entry.resource());
        packed.add(entry);
      }
    }
    byte[] row = encoder.finish();
    assertThat(row.length).isLessThanOrEqualTo(ChunkEncoder.MAX_BYTES);
    List<Indexed> unpacked = new ArrayList<>();
    ChunkDecoder decoder = new ChunkDecoder(row);
    while (decoder.next()) {
      unpacked.add(new Indexed(decoder.key(), decoder.id(), decoder.resource()));
    }
    assertThat(unpacked).isEqualTo(packed);
  }

  /// No text is query syntax: a message is found by exactly the texts whose words it has.
  @FuzzTest(maxDuration = "2m")
  void anySearch(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    Set<String> words = SearchWords.of(text);
    assertThat(SearchWords.of(String.join(" ", words))).isEqualTo(words);
    boolean expected = !words.isEmpty() && SearchWords.of(BODY).containsAll(words);
    Filter filter = new Filter(null, Long.MIN_VALUE, Long.MAX_VALUE, null, text);
    assertThat(stores.archive().page(ROMEO, filter, ONE).entries()).hasSize(expected ? 1 : 0);
  }
}
