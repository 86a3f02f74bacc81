package im.zonda.plugins.webhooks;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The answer to a batch.
sealed interface Answer {
  /// A sentence for the operator.
  String text();

  /// The target has it: any status from 200 to 299.
  record Accepted(int status) implements Answer {
    @Override
    public String text() {
      return "The target has accepted (status " + status + ").";
    }
  }

  /// The target does not want it, now or later: any status from 400 to 499 but 408 and 429.
  record Rejected(int status) implements Answer {
    @Override
    public String text() {
      return "The target has rejected the events (status " + status + ").";
    }
  }

  /// It must be sent again.
  ///
  /// @param text why, as a sentence without secrets
  /// @param after how long the target wants to be left alone, or null
  record Failed(String text, @Nullable Duration after) implements Answer {}
}
