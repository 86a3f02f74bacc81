package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stanza.Message;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import im.zonda.xml.framing.XmlParser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptedStanzaIdsTest {
  private static final long ID = 1_763_700_000_000_001L;
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

  private final StanzaIds ids = new EncryptedStanzaIds(secret(1));

  private static byte[] secret(int last) {
    byte[] secret = new byte[32];
    secret[31] = (byte) last;
    return secret;
  }

  private static List<Long> someIds() {
    List<Long> all = new ArrayList<>(List.of(0L, 1L, -1L, ID, Long.MAX_VALUE, Long.MIN_VALUE));
    new Random(7).longs(2_000).forEach(all::add);
    return all;
  }

  @Test
  void everyIdIsReadBack() {
    Set<String> texts = new HashSet<>();
    for (long id : someIds()) {
      String text = ids.encode(id);
      assertThat(text).matches("[a-z2-7]{26}");
      assertThat(ids.encode(id)).isEqualTo(text);
      assertThat(ids.decode(text)).hasValue(id);
      texts.add(text);
    }
    assertThat(texts).hasSize(someIds().size());
  }

  /// A value computed once by other means: a change of key or form would lose all ids that clients
  /// hold.
  @Test
  void theFormNeverChanges() {
    assertThat(ids.encode(ID)).isEqualTo("h6mniu3kpeq73dzw5wwifdlmhy");
  }

  @Test
  void anotherSecretDoesNotReadIt() {
    String text = ids.encode(ID);
    assertThat(new EncryptedStanzaIds(secret(1)).decode(text)).hasValue(ID);
    StanzaIds other = new EncryptedStanzaIds(secret(2));
    assertThat(other.encode(ID)).isNotEqualTo(text);
    assertThat(other.decode(text)).isEmpty();
  }

  @Test
  void everyDamagedBitIsDetected() {
    for (long id : List.of(0L, ID, -1L)) {
      String text = ids.encode(id);
      for (int i = 0; i < text.length(); i++) {
        for (int bit = 0; bit < 5; bit++) {
          char damaged = ALPHABET.charAt(ALPHABET.indexOf(text.charAt(i)) ^ (1 << bit));
          assertThat(ids.decode(text.substring(0, i) + damaged + text.substring(i + 1)))
              .as("bit %d of character %d", bit, i)
              .isEmpty();
        }
      }
    }
  }

  /// Two ids that differ by one differ in about half of the 128 bits that clients see, and their
  /// order is as good as random.
  @Test
  void neitherOrderNorClosenessIsVisible() {
    int differing = 0;
    int ascending = 0;
    int count = 4_000;
    for (int i = 0; i < count; i++) {
      String one = ids.encode(ID + i);
      String next = ids.encode(ID + i + 1);
      int bits = 0;
      for (int c = 0; c < one.length(); c++) {
        int difference = ALPHABET.indexOf(one.charAt(c)) ^ ALPHABET.indexOf(next.charAt(c));
        bits += Integer.bitCount(difference);
      }
      assertThat(bits).isBetween(25, 103);
      differing += bits;
      ascending += one.compareTo(next) < 0 ? 1 : 0;
    }
    assertThat((double) differing / count).isBetween(63.0, 65.0);
    assertThat((double) ascending / count).isBetween(0.45, 0.55);
  }

  @Test
  void onlyTheFormThatWasAssignedIsRead() {
    String text = ids.encode(ID);
    assertThat(ids.decode(text.toUpperCase(Locale.ROOT))).isEmpty();
    assertThat(ids.decode(text + "a")).isEmpty();
    assertThat(ids.decode(text.substring(1))).isEmpty();
    assertThat(ids.decode(" " + text)).isEmpty();
    assertThat(ids.decode("\u0430".repeat(26))).isEmpty();
    assertThat(ids.decode("aaaaaaaaaaaaaaaaaaaaaaaaaa")).isEmpty();
    assertThat(ids.decode("1".repeat(26))).isEmpty();
  }

  @Test
  void digitsFromEarlierVersionsAreRead() {
    assertThat(ids.decode(Long.toString(ID))).hasValue(ID);
    assertThat(ids.decode("1")).hasValue(1);
    assertThat(ids.decode("9223372036854775807")).hasValue(Long.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "-1",
        "01",
        "+1",
        "1.0",
        "1 or 1=1",
        "9223372036854775808",
        "99999999999999999999",
        "\u0661",
        "null"
      })
  void row77_textsThatAreNoIdsAreNotRead(String text) {
    assertThat(ids.decode(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "romeo@example.org",
        "r\u00f6m\u00e9o@ex\u00e4mple.org",
        "a$#;=?!%*{}|~`^[]()@[::1]"
      })
  void theElementIsTheOneThatATreeWouldGive(String address) throws Exception {
    Jid by = Jid.of(address);
    assertThat(XmlParser.parse(ids.element(by, ID)))
        .isEqualTo(
            Element.builder(StanzaIds.NAME)
                .attribute("by", by.toString())
                .attribute("id", ids.encode(ID))
                .build());
  }

  private static Message with(String by, String id) {
    Element stanzaId =
        Element.builder(StanzaIds.NAME).attribute("by", by).attribute("id", id).build();
    return Message.of(Message.Type.CHAT, ROMEO, ROMEO, "m1", List.of(stanzaId));
  }

  @Test
  void aStoredMessageKeepsTheIdThatItWasGiven() {
    Message now = with("romeo@example.org", ids.encode(ID));
    Message before = with("romeo@example.org", Long.toString(ID));
    assertThat(ids.find(now, ROMEO)).hasValue(ID);
    assertThat(ids.find(before, ROMEO)).hasValue(ID);
    assertThat(ids.ofStored(now, ROMEO, ID)).isEqualTo(ids.encode(ID));
    assertThat(ids.ofStored(before, ROMEO, ID)).isEqualTo(Long.toString(ID));
  }

  @Test
  void anElementThatIsNotTheOwnersSaysNothing() {
    String lost = new EncryptedStanzaIds(secret(2)).encode(ID);
    Message other = with("juliet@example.org", Long.toString(ID));
    assertThat(ids.find(other, ROMEO)).isEmpty();
    assertThat(ids.find(with("romeo@example.org", lost), ROMEO)).isEmpty();
    for (Message message :
        List.of(
            other,
            with("romeo@example.org", lost),
            with("romeo@example.org", Long.toString(ID + 1)),
            Message.of(Message.Type.CHAT, ROMEO, ROMEO, "m1", List.of()))) {
      assertThat(ids.ofStored(message, ROMEO, ID)).isEqualTo(ids.encode(ID));
    }
  }

  /// More threads than ciphers that are kept.
  @Test
  void threadsDoNotDisturbEachOther() throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> results = new ArrayList<>();
      for (int thread = 0; thread < 64; thread++) {
        long first = ID + thread * 1_000L;
        results.add(
            threads.submit(() -> {
              for (long id = first; id < first + 200; id++) {
                if (!ids.decode(ids.encode(id)).equals(OptionalLong.of(id))) {
                  return false;
                }
              }
              return true;
            }));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get()).isTrue();
      }
    }
  }
}
