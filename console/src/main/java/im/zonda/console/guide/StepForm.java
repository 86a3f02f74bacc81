package im.zonda.console.guide;

import im.zonda.console.view.Form;

/// A form of a step.
///
/// @param title its heading
/// @param about what it does
public record StepForm(String title, String about, Form form) {}
