package im.zonda.study.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JmeterLoadTest {
  @Test
  void readsResultsInTheOrderOfTheirBeginnings() {
    PageLoad load =
        JmeterLoad.parse(
            List.of(
                "timeStamp,elapsed,label,responseCode,responseMessage,success",
                "2000,30,HTTP Request,200,OK,true",
                "1000,500,HTTP Request,200,OK,true",
                "3000,1000,HTTP Request,500,Error,false"));

    assertThat(load.samples().millis()).containsExactly(500, 30, 1_000);
    assertThat(load.errors()).isEqualTo(1);
    assertThat(load.seconds()).isEqualTo(3);
    assertThat(load.rate()).isEqualTo(1);
  }
}
