package im.zonda.module.circle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.jid.Jid;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CircleTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "Family, family",
    "' Our  Town ', our-town",
    "Familie Müller, familie-müller",
    "R&D / 'Lab'!, r-d-lab-!",
    "a@b, a-b",
    "(old), (old)"
  })
  void theRoomHasTheNameOfTheCircle(String name, String local) {
    Circle circle = Circle.of(name.replace('\'', '"'), NOW);
    assertThat(circle.local()).isEqualTo(local);
    assertThat(circle.room(Jid.of("rooms.example.org")).local()).isEqualTo(local);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "@", "a\nb", "a\u0000b", "\u2028", "<>"})
  void aNameCannotBeWithoutLettersOrOfTwoLines(String name) {
    assertThatThrownBy(() -> Circle.of(name, NOW)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNameHasSoManyCharacters() {
    String longest = "ä".repeat(Circle.MOST_CHARS);
    assertThat(Circle.of(longest, NOW).name()).isEqualTo(longest);
    assertThatThrownBy(() -> Circle.of(longest + "a", NOW)).hasMessageContaining("60 characters");
  }

  @Test
  void whatIsStoredIsReadAgain() {
    Circle circle = Circle.of("Our  old Town", NOW);
    assertThat(Circle.read(circle.stored())).isEqualTo(circle);
    assertThat(Circle.read(circle.asRemoved().stored())).isEqualTo(circle.asRemoved());
    assertThat(circle.asRemoved().key()).isEqualTo(circle.key());
    assertThatThrownBy(() -> Circle.read(new byte[] {'x'}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
