package im.zonda.console.guide;

import im.zonda.console.view.Tone;

/// A step as the page lists it.
///
/// @param number from 1
/// @param title the title of the step
/// @param tone how it is
/// @param state how it is, in words
/// @param url where it is shown
/// @param current whether it is shown now
public record Step(
    int number, String title, Tone tone, String state, String url, boolean current) {}
