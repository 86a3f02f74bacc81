package im.zonda.bench.trace.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoomSizesTest {
  @ParameterizedTest
  @CsvSource({
    "19000, 388, 427",
    "26000, 530, 427",
    "50000, 1020, 427",
    "5000, 102, 427",
    "20, 10, 3"
  })
  void everyoneIsInARoomAndTheLargestIsAsAskedFor(int people, int rooms, int largest) {
    int[] sizes = RoomSizes.of(people, rooms, largest);

    assertThat(sizes).hasSize(rooms).contains(largest);
    assertThat(Arrays.stream(sizes).sum()).isEqualTo(people);
    assertThat(Arrays.stream(sizes).max()).hasValue(largest);
    assertThat(Arrays.stream(sizes).min().orElse(0)).isPositive();
  }

  @Test
  void theShapeIsTheSameForMorePeople() {
    double few = RoomSizes.copiesPerMessage(RoomSizes.of(5_000, 102, 427));
    double many = RoomSizes.copiesPerMessage(RoomSizes.of(50_000, 1_020, 427));

    assertThat(few).isCloseTo(many, within(many * 0.1));
  }

  @Test
  void aMessageReachesMoreThanTheMeanBecauseLargeRoomsTalkMore() {
    assertThat(RoomSizes.copiesPerMessage(new int[] {30, 10})).isEqualTo(25);
  }

  @Test
  void roomsThatCannotBeFilledAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> RoomSizes.of(100, 10, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> RoomSizes.of(10, 10, 5));
  }
}
