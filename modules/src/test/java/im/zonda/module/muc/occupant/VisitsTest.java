package im.zonda.module.muc.occupant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisitsTest {
  /// The version before writes all of these but the second and reads it as one that has entered.
  @ParameterizedTest
  @ValueSource(strings = {"00", "12", "10", "01", "11"})
  void visitsAreReadAsTheyWereWritten(String state) {
    String text = state + " 7 catch-up-1 coven@rooms.example.org\n";
    assertThat(Visits.read(text).write()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 - - coven@rooms.example.org", "10 - -", "10 - - @"})
  void otherTextIsRejected(String text) {
    assertThatThrownBy(() -> Visits.read(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
