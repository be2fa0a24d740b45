<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>tomoloom</name>
    <message>
        <source>
%1  →  %2</source>
        <translation>
%1  →  %2</translation>
    </message>
    <message>
        <source>  %1: the scan does not say
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> % of the filters</source>
        <translation> % der Filter</translation>
    </message>
    <message>
        <source> (%1 % of the range)</source>
        <translation> (%1 % des Bereichs)</translation>
    </message>
    <message>
        <source> (--device cpu)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (as radians)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (uneven: steps differ by up to %1 deg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source> In a cone beam, opposite views agree only along the middle row.</source>
        <translation> Im Kegelstrahl stimmen gegenüberliegende Projektionen nur entlang der mittleren Zeile überein.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source> epochs</source>
        <translation> Epochen</translation>
    </message>
    <message>
        <source> in the preferences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> is known to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> iterations</source>
        <translation> Iterationen</translation>
    </message>
    <message>
        <source> points</source>
        <translation> Punkte</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source> px from the centre</source>
        <translation> px von der Mitte</translation>
    </message>
    <message>
        <source> read %1, the largest count of the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source> views</source>
        <translation> Projektionen</translation>
    </message>
    <message>
        <source> voxels</source>
        <translation> Voxel</translation>
    </message>
    <message>
        <source> · %1 %</source>
        <translation> · %1 %</translation>
    </message>
    <message>
        <source> · %1 % of its views lost</source>
        <translation> · %1 % der Projektionen verloren</translation>
    </message>
    <message>
        <source> · %1 as float32</source>
        <translation> · %1 als float32</translation>
    </message>
    <message>
        <source> · %1 left</source>
        <translation> · noch %1</translation>
    </message>
    <message>
        <source> · %1 old</source>
        <translation> · %1 alt</translation>
    </message>
    <message>
        <source> · at most %1 left</source>
        <translation> · höchstens noch %1</translation>
    </message>
    <message>
        <source> · edges %1</source>
        <translation> · Kanten %1</translation>
    </message>
    <message>
        <source> · negative %1 %</source>
        <translation> · negativ %1 %</translation>
    </message>
    <message>
        <source> · shown after %1 (95 %: %2)</source>
        <translation> · gezeigt nach %1 (95 %: %2)</translation>
    </message>
    <message>
        <source> · too little</source>
        <translation> · zu wenig</translation>
    </message>
    <message>
        <source> · window %1</source>
        <translation> · Fenster %1</translation>
    </message>
    <message>
        <source>"%1" cannot be "%2"</source>
        <translation>„%1“ kann nicht „%2“ sein</translation>
    </message>
    <message>
        <source>"%1" cannot be %2</source>
        <translation>„%1“ kann nicht %2 sein</translation>
    </message>
    <message>
        <source>"%1" cannot be bypassed: it has no %2 input that could pass through as "%3"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" cannot be bypassed: it has no output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" cannot be learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" cannot be learned with this objective: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" cannot be learned: it is not a number</source>
        <translation>„%1“ ist nicht lernbar: es ist keine Zahl</translation>
    </message>
    <message>
        <source>"%1" cannot go between: it has no %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" cannot propagate gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" consists of several volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" does not begin with the number of a class, 1 to 65535</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" does not end like %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" does not pass its input on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" ends with a number that is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has %2 outputs of the type %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has a number for every pixel: rows cannot be learned from a part at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no input or parameter "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no matching port</source>
        <translation>„%1“ hat keinen passenden Anschluss</translation>
    </message>
    <message>
        <source>"%1" has no output "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no output "%2" of the type %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no parameter "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no parameter "%2" that could be given as a tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no parameter %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has no tabulated density</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has the unit %2</source>
        <translation>„%1“ hat die Einheit %2</translation>
    </message>
    <message>
        <source>"%1" has too many numbers for estimates by differences, and a node on the path to the objective has no derivative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has version %2, newer than this program's (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" has version %2, ours is %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is %2, out of range</source>
        <translation>„%1“ ist %2, außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>"%1" is a list: its landscape has too many dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is an array: it cannot be written here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is an array: it takes no bounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is an empty array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is an empty list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is bypassed, so there is nothing to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is driven by a link</source>
        <translation>„%1“ wird durch eine Verbindung getrieben</translation>
    </message>
    <message>
        <source>"%1" is driven by a link: it cannot be learned as well</source>
        <translation>„%1“ wird durch eine Verbindung getrieben: lernbar ist es nicht zugleich</translation>
    </message>
    <message>
        <source>"%1" is driven by a value in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is given a tensor of rank %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is given a tensor of type %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is given an empty tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is named like %2, but would be written as %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not UTF-8 text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a finite number</source>
        <translation>„%1“ ist keine endliche Zahl</translation>
    </message>
    <message>
        <source>"%1" is not a number</source>
        <translation>„%1“ ist keine Zahl</translation>
    </message>
    <message>
        <source>"%1" is not a number from %2 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a number from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a number, so nothing can drive it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a setting of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a single number: it cannot be an objective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a size of frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not a slab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not an amount of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not an integer</source>
        <translation>„%1“ ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>"%1" is not computed: it is muted, or needs a muted node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is not true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is out of range</source>
        <translation>„%1“ liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>"%1" is to be learned twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" is written without a unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" must be %2, not %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" must be a list with its unit, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" must be a number with its unit in quotes, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" starts at or below 0: its logarithm cannot be learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1" takes nothing that "%2" gives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>"%1,%2" could be %3.%4 or %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>#angle [deg]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1
%2
%3, %4 s: %5
Method: %6</source>
        <translation>%1
%2
%3, %4 s: %5
Verfahren: %6</translation>
    </message>
    <message>
        <source>%1
The report with norm and fate of every filter goes next to it: %2</source>
        <translation>%1
Der Bericht mit Norm und Schicksal jedes Filters kommt daneben: %2</translation>
    </message>
    <message>
        <source>%1   %2
      %3 %4</source>
        <translation>%1   %2
      %3 %4</translation>
    </message>
    <message>
        <source>%1   F5</source>
        <translation>%1   F5</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 % of the last frames are lost.</source>
        <translation>%1 % der letzten Bilder sind verloren.</translation>
    </message>
    <message>
        <source>%1 % of the last frames lost</source>
        <translation>%1 % der letzten Bilder verloren</translation>
    </message>
    <message>
        <source>%1 % of the pixels are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2 is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, all views</source>
        <translation>%1 %2, alle Projektionen</translation>
    </message>
    <message>
        <source>%1 + writing</source>
        <translation>%1 + Schreiben</translation>
    </message>
    <message>
        <source>%1 MiB of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 above %2</source>
        <translation>%1 über %2</translation>
    </message>
    <message>
        <source>%1 along y and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 background columns of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and no %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are to be held out of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>%1 at %2, %3</source>
        <translation>%1 bei %2, %3</translation>
    </message>
    <message>
        <source>%1 at (%2)</source>
        <translation>%1 bei (%2)</translation>
    </message>
    <message>
        <source>%1 balls were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes for %2 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 channels, the network takes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 classes, the labels have %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 classes, the network %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 columns (mean of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 components of %2 flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 could not be saved.</source>
        <translation>%1 konnte nicht gespeichert werden.</translation>
    </message>
    <message>
        <source>%1 detector rows do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 deviates by %2 (%3, float64): its gradient is not the derivative of its output at this point.</source>
        <translation>%1 weicht um %2 ab (%3, float64): der Gradient ist hier nicht die Ableitung des Ausgangs.</translation>
    </message>
    <message>
        <source>%1 different angles cover %2 deg</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 directions are not determined by these data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not use them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 factors of the distortion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 failed in the background</source>
        <translation>%1 ist im Hintergrund gescheitert</translation>
    </message>
    <message>
        <source>%1 features for a forest of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 features of %2 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files are listed under Data</source>
        <translation>%1 Dateien stehen unter Daten</translation>
    </message>
    <message>
        <source>%1 files that hold its pixels are missing: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files, not pairs of volume and labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 flats give at most %2 components</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 frames of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 from the centre</source>
        <translation>%1 von der Mitte</translation>
    </message>
    <message>
        <source>%1 from the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 go from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 has been running in the background since %2</source>
        <translation>%1 läuft seit %2 im Hintergrund weiter</translation>
    </message>
    <message>
        <source>%1 has ended in the background; results are in %2</source>
        <translation>%1 ist im Hintergrund fertig geworden; Ergebnisse in %2</translation>
    </message>
    <message>
        <source>%1 has more than %2 elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no labels of 32 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no numbers of type "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no voxels of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in the cache</source>
        <translation>%1 im Zwischenspeicher</translation>
    </message>
    <message>
        <source>%1 in the header is "%2", not an integer from 0 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2, not an integer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2, not between %3 and %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is UTF-16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a header of ANALYZE 7.5, not of NIfTI: it states neither position nor scale of the voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a text header of ESRI or ENVI, not one of NIfTI</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is also open in another window: %2, since %3. The window that saves second asks before it overwrites.</source>
        <translation>%1 ist auch in einem anderen Fenster offen: %2, seit %3. Das Fenster, das als zweites speichert, fragt vor dem Überschreiben.</translation>
    </message>
    <message>
        <source>%1 is compared with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not %2 numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a number with a unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a number: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a string, or too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not among the classes of %2, and shown as such: give it a name and a colour there (Classes).</source>
        <translation>%1 gehört nicht zu den Klassen von %2 und wird so gezeigt: dort einen Namen und eine Farbe geben (Klassen).</translation>
    </message>
    <message>
        <source>%1 is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not linked: %2 has no output of type %3. </source>
        <translation>%1 ist nicht verbunden: %2 hat keinen Ausgang vom Typ %3. </translation>
    </message>
    <message>
        <source>%1 is not one number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not ready</source>
        <translation>%1 ist nicht bereit</translation>
    </message>
    <message>
        <source>%1 is not said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is of another type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is one of the frames, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is one that this program does not have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is too long: more than %2 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is written without compression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 iterations</source>
        <translation>%1 Iterationen</translation>
    </message>
    <message>
        <source>%1 keV: %2</source>
        <translation>%1 keV: %2</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>%1 locked</source>
        <translation>%1 gesperrt</translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 Arbeitsspeicher</translation>
    </message>
    <message>
        <source>%1 messages</source>
        <translation>%1 Meldungen</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>%1 of "%2" is in %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%1 von %2 Zeilen</translation>
    </message>
    <message>
        <source>%1 of %2 voxels are NaN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 voxels differ, by %3 at most%4, rms %5.</source>
        <translation>%1 von %2 Voxeln unterscheiden sich, um höchstens %3%4, quadratisches Mittel %5.</translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation>%1 von %2 · %3</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 of %2: %3 in the file, %4 here</source>
        <translation>%1 von %2: %3 in der Datei, %4 hier</translation>
    </message>
    <message>
        <source>%1 of a phantom must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of the pixels around view %2</source>
        <translation>%1 der Pixel um Projektion %2</translation>
    </message>
    <message>
        <source>%1 of those of the flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 old</source>
        <translation>%1 alt</translation>
    </message>
    <message>
        <source>%1 on disk</source>
        <translation>%1 auf der Platte</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 output cannot feed %2 input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 outputs of the type %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 over the iterations</source>
        <translation>%1 über den Iterationen</translation>
    </message>
    <message>
        <source>%1 passes: the largest deviation is %2 (%3, float64).</source>
        <translation>%1 besteht: die größte Abweichung ist %2 (%3, float64).</translation>
    </message>
    <message>
        <source>%1 pixels (columns x rows)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 pixels is less than the %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 pixels need larger images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 pixels, the projections %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>%1 points are too many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 points in %2.</source>
        <translation>%1 Punkte in %2.</translation>
    </message>
    <message>
        <source>%1 positions for %2 flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
    <message>
        <source>%1 px from the centre</source>
        <translation>%1 px von der Mitte</translation>
    </message>
    <message>
        <source>%1 px from the centre (column %2), not used unasked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>%1 rows, as far apart as the scan has them, or do not learn it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs as soon as it is open.</source>
        <translation>%1 läuft, sobald sie geöffnet ist.</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 scans</source>
        <translation>%1 Scans</translation>
    </message>
    <message>
        <source>%1 scans · %2 arrived %3 ago</source>
        <translation>%1 Scans · %2 vor %3 angekommen</translation>
    </message>
    <message>
        <source>%1 scans · %2 arrived just now</source>
        <translation>%1 Scans · %2 gerade angekommen</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>%1 ausgewählt</translation>
    </message>
    <message>
        <source>%1 sent</source>
        <translation>%1 gesendet</translation>
    </message>
    <message>
        <source>%1 single bright pixels in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 sinograms and %2 slices make no pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 slice</source>
        <translation>%1-Schicht</translation>
    </message>
    <message>
        <source>%1 slices takes part, and the detector has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stays: %2</source>
        <translation>%1 bleibt: %2</translation>
    </message>
    <message>
        <source>%1 that the network takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 theme</source>
        <translation>Farbschema %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 to %2 deg, not in one sweep: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 deg, step %3 deg</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 is not within 0 to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to auto and leave them out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>%1 values are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values are swept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values for %2 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values, %2 to %3</source>
        <translation>%1 Werte, %2 bis %3</translation>
    </message>
    <message>
        <source>%1 view weights for %2 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 views do not make a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 views every %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 views of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 views, %2 flats, %3 darks</source>
        <translation>%1 Projektionen, %2 Hellbilder, %3 Dunkelbilder</translation>
    </message>
    <message>
        <source>%1 views, %2 to %3 %4</source>
        <translation>%1 Projektionen, %2 bis %3 %4</translation>
    </message>
    <message>
        <source>%1 views, up to %2 times their usual value (view %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 visible</source>
        <translation>%1 sichtbar</translation>
    </message>
    <message>
        <source>%1 volume has values that are not finite numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 volumes</source>
        <translation>%1 Volumen</translation>
    </message>
    <message>
        <source>%1 voxels</source>
        <translation>%1 Voxel</translation>
    </message>
    <message>
        <source>%1 voxels apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 voxels are compared with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was changed since it was opened here.</source>
        <translation>%1 wurde geändert, seit die Datei hier geöffnet wurde.</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>%1 wurde nicht gespeichert: %2</translation>
    </message>
    <message>
        <source>%1 · %2 frames</source>
        <translation>%1 · %2 Bilder</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · last change %2</source>
        <translation>%1 · letzte Änderung %2</translation>
    </message>
    <message>
        <source>%1 · not linked</source>
        <translation>%1 · nicht verbunden</translation>
    </message>
    <message>
        <source>%1 · recent</source>
        <translation>%1 · zuletzt benutzt</translation>
    </message>
    <message>
        <source>%1 · survey on coarse data</source>
        <translation>%1 · Übersicht auf groben Daten</translation>
    </message>
    <message>
        <source>%1 · the last frames are written</source>
        <translation>%1 · die letzten Bilder werden geschrieben</translation>
    </message>
    <message>
        <source>%1 · to be learned</source>
        <translation>%1 · zu lernen</translation>
    </message>
    <message>
        <source>%1 · waits for %2</source>
        <translation>%1 · wartet auf %2</translation>
    </message>
    <message>
        <source>%1 · yours</source>
        <translation>%1 · von Ihnen</translation>
    </message>
    <message>
        <source>%1 × %2 of %3 × %4 pixels</source>
        <translation>%1 × %2 von %3 × %4 Pixeln</translation>
    </message>
    <message>
        <source>%1 σ</source>
        <translation>%1 σ</translation>
    </message>
    <message>
        <source>%1" cannot be %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1" is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1" is not a plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1" is out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 errors</source>
        <translation>%1, %2 Fehler</translation>
    </message>
    <message>
        <source>%1, %2 nodes</source>
        <translation>%1, %2 Knoten</translation>
    </message>
    <message>
        <source>%1, %2. %3</source>
        <translation>%1, %2. %3</translation>
    </message>
    <message>
        <source>%1, 1 error</source>
        <translation>%1, 1 Fehler</translation>
    </message>
    <message>
        <source>%1, but there are %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, number %2</source>
        <translation>%1, Nummer %2</translation>
    </message>
    <message>
        <source>%1, or save the volume in another format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, root mean square</source>
        <translation>%1, quadratisches Mittel</translation>
    </message>
    <message>
        <source>%1, slider</source>
        <translation>%1, Schieberegler</translation>
    </message>
    <message>
        <source>%1, which labels cannot be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Ends painting: the key %2 has another meaning while you paint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Enter takes the value.</source>
        <translation>%1. Enter übernimmt den Wert.</translation>
    </message>
    <message>
        <source>%1. Therefore %2 was added; undo takes it back.</source>
        <translation>%1. Deshalb wurde %2 hinzugefügt; Rückgängig nimmt es zurück.</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 in the file, %3 here</source>
        <translation>%1: %2 in der Datei, %3 hier</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n points, from %2 to %3</source>
        <translation><numerusform>%1: %n Punkt, von %2 bis %3</numerusform><numerusform>%1: %n Punkte, von %2 bis %3</numerusform></translation>
    </message>
    <message>
        <source>%1: a click chooses its colour</source>
        <translation>%1: ein Klick wählt die Farbe</translation>
    </message>
    <message>
        <source>%1: bypassed or muted differently</source>
        <translation>%1: anders überbrückt oder abgeschaltet</translation>
    </message>
    <message>
        <source>%1: done</source>
        <translation>%1: fertig</translation>
    </message>
    <message>
        <source>%1: failed</source>
        <translation>%1: gescheitert</translation>
    </message>
    <message>
        <source>%1: from %2, %3</source>
        <translation>%1: aus %2, %3</translation>
    </message>
    <message>
        <source>%1: gradient %2, difference %3</source>
        <translation>%1: Gradient %2, Differenz %3</translation>
    </message>
    <message>
        <source>%1: it would compute the same again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: its weights will differ in the last digits from those of a training without a break</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: not linked</source>
        <translation>%1: nicht verbunden</translation>
    </message>
    <message>
        <source>%1: that displaces the value by an unknown amount</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1^3, noise of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1°</source>
        <translation>%1°</translation>
    </message>
    <message>
        <source>%1° and %2°</source>
        <translation>%1° und %2°</translation>
    </message>
    <message>
        <source>%1° – %2°</source>
        <translation>%1° – %2°</translation>
    </message>
    <message>
        <source>%lld h %02d min</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n evaluations in %1 s.</source>
        <translation><numerusform>%n Auswertung in %1 s.</numerusform><numerusform>%n Auswertungen in %1 s.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n older ones follow</source>
        <translation><numerusform>%n ältere folgt</numerusform><numerusform>%n ältere folgen</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%n values, %1 to %2</source>
        <translation><numerusform>%n Wert, %1 bis %2</numerusform><numerusform>%n Werte, %1 bis %2</numerusform></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Create</source>
        <translation>&amp;Anlegen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;New Folder</source>
        <translation>&amp;Neuer Ordner</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>&amp;OK</source>
        <translation>&amp;OK</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>&amp;Umbenennen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>+ Set geometry</source>
        <translation>+ Geometrie setzen</translation>
    </message>
    <message>
        <source>, %1 % NaN</source>
        <translation>, %1 % NaN</translation>
    </message>
    <message>
        <source>, %1 a second</source>
        <translation>, %1 je Sekunde</translation>
    </message>
    <message>
        <source>, in the middle slice</source>
        <translation>, in der mittleren Schicht</translation>
    </message>
    <message>
        <source>, not even by --overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, of them %1 passed over</source>
        <translation>, davon %1 übergangen</translation>
    </message>
    <message>
        <source>, off by up to %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, or allow this with --overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--angle-unit radians</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--axis PX replaces it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--pixel-size sets another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--pixels transmission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--pixels transmission or --pixels absorption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--set load.odd_references=keep keeps them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--set load.pixels=percent divides them by 100</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--set load.use_darks=none takes the dark signal as 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--set load.view_shifts=ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--set rings.snr=1000</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-9999 stands for an angle that is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. Angles follow the numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. The others are treated as consecutive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>0 deg where a step is given</source>
        <translation>0 deg, wo ein Schritt gegeben ist</translation>
    </message>
    <message>
        <source>0.3 % of the pixels are brighter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0.3 % of the pixels are darker</source>
        <translation>0.3 % der Pixel sind dunkler</translation>
    </message>
    <message>
        <source>0: the same objects, 1: nothing in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0°/180° overlay</source>
        <translation>0°/180°-Überlagerung</translation>
    </message>
    <message>
        <source>0°/180° overlay…</source>
        <translation>0°/180°-Überlagerung…</translation>
    </message>
    <message>
        <source>1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 in one of the regions, 0 in the other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 in the objects, else 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 inside of the border, else 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 is usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 iteration</source>
        <translation>1 Iteration</translation>
    </message>
    <message>
        <source>1 less the difference between the two largest probabilities: 0 is sure, 1 undecided.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 message</source>
        <translation>1 Meldung</translation>
    </message>
    <message>
        <source>1 minus the mean similarity: 0 = equal; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 on the skeleton, else 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 px</source>
        <translation>1 px</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>1 scan</source>
        <translation>1 Scan</translation>
    </message>
    <message>
        <source>1 to %1 values are swept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 volume</source>
        <translation>1 Volumen</translation>
    </message>
    <message>
        <source>1 where the changed mask is, else 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1/cm</source>
        <translation>1/cm</translation>
    </message>
    <message>
        <source>1/mm</source>
        <translation>1/mm</translation>
    </message>
    <message>
        <source>100 is usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>130 is usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>15 voxels, less in small volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>16 (0 to 65535)</source>
        <translation>16 (0 bis 65535)</translation>
    </message>
    <message>
        <source>16 bit</source>
        <translation>16 Bit</translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation>16 Bit</translation>
    </message>
    <message>
        <source>16-bit integers</source>
        <translation>16-Bit-Ganzzahlen</translation>
    </message>
    <message>
        <source>180 degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1e-5 is one count of a 16-bit detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1–9 class · [ ] size · W ends painting</source>
        <translation>1–9 Klasse · [ ] Größe · W beendet das Malen</translation>
    </message>
    <message>
        <source>2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 x 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2.5 times the noise of the middle slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2.5 times the noise of the middle view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>270 degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>300 bubbles, or 60 bodies of other kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>32 bits</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>360 to 180 degrees</source>
        <translation>360 auf 180 Grad</translation>
    </message>
    <message>
        <source>3D</source>
        <translation>3D</translation>
    </message>
    <message>
        <source>3D view</source>
        <translation>3D-Ansicht</translation>
    </message>
    <message>
        <source>3D: automatic colours and opacity</source>
        <translation>3D: automatische Farben und Deckkraft</translation>
    </message>
    <message>
        <source>3D: cloud or surface</source>
        <translation>3D: Wolke oder Oberfläche</translation>
    </message>
    <message>
        <source>3D: colours of the window</source>
        <translation>3D: Farben des Fensters</translation>
    </message>
    <message>
        <source>3D: corner cut out at the slices</source>
        <translation>3D: Ecke an den Schichten ausschneiden</translation>
    </message>
    <message>
        <source>3D: first camera</source>
        <translation>3D: anfängliche Kamera</translation>
    </message>
    <message>
        <source>3D: frames of the slices</source>
        <translation>3D: Rahmen der Schichten</translation>
    </message>
    <message>
        <source>3D: hide the slices</source>
        <translation>3D: Schichten ausblenden</translation>
    </message>
    <message>
        <source>3D: look along x</source>
        <translation>3D: Blick entlang x</translation>
    </message>
    <message>
        <source>3D: look along y</source>
        <translation>3D: Blick entlang y</translation>
    </message>
    <message>
        <source>3D: look along z</source>
        <translation>3D: Blick entlang z</translation>
    </message>
    <message>
        <source>3D: slices in place</source>
        <translation>3D: Schichten an ihrem Ort</translation>
    </message>
    <message>
        <source>3D: tint for %1</source>
        <translation>3D: Farben für %1</translation>
    </message>
    <message>
        <source>4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4 x 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5 is usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>61, or a quarter of the columns of a narrow detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8 (0 to 255)</source>
        <translation>8 (0 bis 255)</translation>
    </message>
    <message>
        <source>8 x 8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8, 16 or 32 bit integers and 32 or 64 bit floats can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>8-bit integers</source>
        <translation>8-Bit-Ganzzahlen</translation>
    </message>
    <message>
        <source>90 degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: %lld evaluations of %.1f ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: name the scan with --input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: noise, or others that make up for it, move it as far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: the objective hardly bends along it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: within them a tilt moves the axis by less than can be measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; %1 frames are missing</source>
        <translation>; %1 Bilder fehlen</translation>
    </message>
    <message>
        <source>; but for a motion of the whole object, which no view shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; its derivative is an estimate by central differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; its windows are in %1</source>
        <translation>; die Fenster stehen in %1</translation>
    </message>
    <message>
        <source>; the scan says %1 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A = auto</source>
        <translation>A = automatisch</translation>
    </message>
    <message>
        <source>A circular scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A condition is like volume &gt; 10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A correction</source>
        <translation>Eine Korrektur</translation>
    </message>
    <message>
        <source>A file of JSON with the table of classes: {"classes": [{"number": 1, "name": "pore", "colour": "#3366cc"}], "not_labelled": 0}; empty: the table of the labels, if they have one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file of a network: of tomoloom network, train or prune, or an ONNX model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file that Save model wrote after a pixel classifier with the same features.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file that torch.jit.save wrote; you have to trust it before it runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A found value; everything before it is listed too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A known axis, in pixels from the detector centre: no search is made. The table of windows of a live scan contains it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A line has four numbers of a matrix, and the shifts along x and y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A line is the source, the centre of the detector, and its steps along columns and rows, x y z each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A link drives this threshold: remove the link to move it</source>
        <translation>Eine Verbindung treibt diese Schwelle: zum Verschieben die Verbindung entfernen</translation>
    </message>
    <message>
        <source>A live window is not shown: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model file (.safetensors) with the weights, used where they are on auto; its path is relative to the pipeline, and its checksum is looked at. Learning begins from it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A movie is being exported. Nothing of it is kept.</source>
        <translation>Ein Film wird exportiert. Nichts davon bleibt.</translation>
    </message>
    <message>
        <source>A network has 1 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A network is being trained (%1). It can go on later from its checkpoint.</source>
        <translation>Ein Netz wird trainiert (%1). Es kann später von seinem Zwischenstand weitergehen.</translation>
    </message>
    <message>
        <source>A network is being trained (%1). What it has learned is lost.</source>
        <translation>Ein Netz wird trainiert (%1). Was es gelernt hat, geht verloren.</translation>
    </message>
    <message>
        <source>A new training discards the trained network.</source>
        <translation>Ein neues Training verwirft das trainierte Netz.</translation>
    </message>
    <message>
        <source>A new training replaces the checkpoint of the unfinished one.</source>
        <translation>Ein neues Training ersetzt den Zwischenstand des unfertigen.</translation>
    </message>
    <message>
        <source>A new window is shown whenever so many more views have come.</source>
        <translation>Ein neues Fenster wird gezeigt, sobald so viele Projektionen mehr da sind.</translation>
    </message>
    <message>
        <source>A node between them must make %1 of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number from %1 to %2 is needed</source>
        <translation>Eine Zahl von %1 bis %2 wird gebraucht</translation>
    </message>
    <message>
        <source>A page of it: pipeline, parameters, slices, plots, times, references</source>
        <translation>Eine Seite darüber: Pipeline, Parameter, Schichten, Diagramme, Zeiten, Literatur</translation>
    </message>
    <message>
        <source>A part of the path of a scan</source>
        <translation>Ein Teil vom Pfad eines Scans</translation>
    </message>
    <message>
        <source>A pipeline has "format": "tomoloom-pipeline"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pixel is dead when its flat minus dark differs from its neighbours by more than this share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pixel is hot when its dark lies above its neighbours by more than this share of the median flat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A program can do whatever you may do: read, change and send your files. If you know who made it, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A reconstruction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A record begins when this holds: a name of the log or of headers of frames, one of &lt;, &lt;=, &gt;, &gt;=, ==, !=, and a number in the unit in which it comes. Empty: it begins at once.</source>
        <translation>Eine Aufzeichnung beginnt, wenn dies gilt: ein Name aus dem Protokoll oder aus den Köpfen der Bilder, eines von &lt;, &lt;=, &gt;, &gt;=, ==, !=, und eine Zahl in der Einheit, in der er kommt. Leer: sie beginnt sofort.</translation>
    </message>
    <message>
        <source>A run is in progress (%1). Files that it has not completed are not written.</source>
        <translation>Ein Lauf ist im Gang (%1). Dateien, die er nicht fertiggestellt hat, werden nicht geschrieben.</translation>
    </message>
    <message>
        <source>A run is in progress. Export when it has ended, or stop it.</source>
        <translation>Ein Lauf ist im Gang. Exportieren, wenn er fertig ist, oder ihn anhalten.</translation>
    </message>
    <message>
        <source>A scan is a file such as NAME.nx or NAME.h5, or a folder with TIFF or EDF frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A scan is being recorded (%1). The record ends here; frames that come later are lost.</source>
        <translation>Ein Scan wird aufgezeichnet (%1). Die Aufzeichnung endet hier; spätere Bilder gehen verloren.</translation>
    </message>
    <message>
        <source>A scan of projections has technique/image_key = 0 or a title that begins with "projections"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A scan that gives the geometry; its pixels are not used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A scan that has not changed for 10 s is listed above.</source>
        <translation>Ein Scan, der sich 10 s nicht geändert hat, steht oben.</translation>
    </message>
    <message>
        <source>A scan that has not changed for 10 s runs through the pipeline that is open then.</source>
        <translation>Ein Scan, der sich 10 s nicht geändert hat, läuft durch die dann offene Pipeline.</translation>
    </message>
    <message>
        <source>A scan with a parallel beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A scintillator with a camera adds up energy: photons of high energy count more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A slice [y, x] or a volume [z, y, x] fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sweep is in progress. Its points are kept.</source>
        <translation>Eine Wertereihe läuft. Ihre Punkte bleiben erhalten.</translation>
    </message>
    <message>
        <source>A text file with one angle per view in degrees: .tlt or .rawtlt of IMOD. Empty: all frames look one way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A text file with one gantry angle per view, in degrees.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A third one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A training on other strokes was stopped here: Train starts again and replaces it.</source>
        <translation>Hier wurde ein Training auf anderen Strichen angehalten: Trainieren beginnt neu und ersetzt es.</translation>
    </message>
    <message>
        <source>A training with other settings was stopped here: Train starts again and replaces it.</source>
        <translation>Hier wurde ein Training mit anderen Einstellungen angehalten: Trainieren beginnt neu und ersetzt es.</translation>
    </message>
    <message>
        <source>A training with these settings was stopped %1.</source>
        <translation>Ein Training mit diesen Einstellungen wurde %1 angehalten.</translation>
    </message>
    <message>
        <source>A typical grey value: slices are divided by it before the network and multiplied after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A volume at displaced positions: applies the displacement of a registration, or one that is learned.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A volume of labels that is scanned instead of the phantom; it needs the materials.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A volume on cubic voxels of another size, such as those that a network was trained with.</source>
        <translation>Ein Volumen mit würfelförmigen Voxeln anderer Größe, etwa der, mit der ein Netz trainiert wurde.</translation>
    </message>
    <message>
        <source>A volume to start from, for example that of FBP or FDK; otherwise a constant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A window has two views or more, and the next one begins within it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A window needs all of its views, and flats before them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>APS Data Exchange</source>
        <translation>APS Data Exchange</translation>
    </message>
    <message>
        <source>About Tomoloom</source>
        <translation>Über Tomoloom</translation>
    </message>
    <message>
        <source>About this node</source>
        <translation>Über diesen Knoten</translation>
    </message>
    <message>
        <source>About x</source>
        <translation>Um x</translation>
    </message>
    <message>
        <source>About y</source>
        <translation>Um y</translation>
    </message>
    <message>
        <source>About z</source>
        <translation>Um z</translation>
    </message>
    <message>
        <source>Above 0 the border grows, below 0 it shrinks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above the limit of %1</source>
        <translation>Über der Grenze von %1</translation>
    </message>
    <message>
        <source>Above the threshold</source>
        <translation>Über der Schwelle</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>Absolut</translation>
    </message>
    <message>
        <source>Absorption</source>
        <translation>Absorption</translation>
    </message>
    <message>
        <source>Absorption (-ln)</source>
        <translation>Absorption (-ln)</translation>
    </message>
    <message>
        <source>Absorption (line integrals) of a circular cone-beam scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption (line integrals) of a parallel-beam scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption (line integrals) of any scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption (line integrals) of parallel beams of any directions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption above which a pixel belongs to a ball.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption as a beam of one energy would give it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption for reconstruction; thickness divides by the material's attenuation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption in a cone beam: after flat-field and logarithm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption in a parallel beam, half a turn or a full one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption in a parallel beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption in a parallel beam: after flat-field and logarithm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption in the polychromatic beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption of a parallel-beam or circular cone-beam scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption of a phantom of balls, cone beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption of a polychromatic beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption or transmission of a full turn in a parallel beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption or transmission of the lower part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption or transmission of the upper part, parallel beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption or transmission.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption over full turns, in any beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, measured: views that the volume was not made of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, of any orbit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, of attenuation; thickness, of a mask that is 1 inside the object: it has no unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, or thickness in mm, in that geometry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, or transmission without the logarithm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, thickness or filtered transmission.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption, transmission or thickness.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Absorption.</source>
        <translation>Absorption.</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Accept %1</source>
        <translation>%1 annehmen</translation>
    </message>
    <message>
        <source>Accept asks where the network is saved, and sets it in the node Network.</source>
        <translation>Annehmen fragt, wo das Netz gespeichert wird, und setzt es in den Knoten Netz.</translation>
    </message>
    <message>
        <source>Accept saves it as %1 next to the pipeline, and sets it in the node Network.</source>
        <translation>Annehmen speichert es als %1 neben der Pipeline und setzt es in den Knoten Netz.</translation>
    </message>
    <message>
        <source>Accept the axis</source>
        <translation>Achse annehmen</translation>
    </message>
    <message>
        <source>Accept the trained network</source>
        <translation>Das trainierte Netz annehmen</translation>
    </message>
    <message>
        <source>Accept writes this result into the pipeline; until then the views show it.</source>
        <translation>Annehmen schreibt dieses Ergebnis in die Pipeline; bis dahin zeigen es die Ansichten.</translation>
    </message>
    <message>
        <source>Accepts: %1</source>
        <translation>Erlaubt: %1</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Activation between the layers. The smooth one (SiLU) has a derivative everywhere, which suits methods other than Adam better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Add Network</source>
        <translation>Netz hinzufügen</translation>
    </message>
    <message>
        <source>Add a class</source>
        <translation>Klasse hinzufügen</translation>
    </message>
    <message>
        <source>Add a class (+)</source>
        <translation>Klasse hinzufügen (+)</translation>
    </message>
    <message>
        <source>Add a node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a node after %1</source>
        <translation>Knoten nach %1 hinzufügen</translation>
    </message>
    <message>
        <source>Add a node after this output</source>
        <translation>Knoten nach diesem Ausgang hinzufügen</translation>
    </message>
    <message>
        <source>Add a node before this input</source>
        <translation>Knoten vor diesem Eingang hinzufügen</translation>
    </message>
    <message>
        <source>Add a node that gives it, and drag a link from there.</source>
        <translation>Einen Knoten hinzufügen, der das liefert, und von dort eine Verbindung ziehen.</translation>
    </message>
    <message>
        <source>Add a node that saves something</source>
        <translation>Einen Knoten hinzufügen, der etwas speichert</translation>
    </message>
    <message>
        <source>Add a node: type its name</source>
        <translation>Knoten hinzufügen: Namen tippen</translation>
    </message>
    <message>
        <source>Add a node…</source>
        <translation>Knoten hinzufügen…</translation>
    </message>
    <message>
        <source>Add a reconstruction first</source>
        <translation>Zuerst eine Rekonstruktion hinzufügen</translation>
    </message>
    <message>
        <source>Add a save node, for example output.save_volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add after…</source>
        <translation>Danach hinzufügen…</translation>
    </message>
    <message>
        <source>Add an objective node</source>
        <translation>Einen Zielfunktionsknoten hinzufügen</translation>
    </message>
    <message>
        <source>Add an objective or a reconstruction</source>
        <translation>Eine Zielfunktion oder eine Rekonstruktion hinzufügen</translation>
    </message>
    <message>
        <source>Add endian: little, or endian: big</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it on the canvas and link its inputs there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it, or copy the file from the scanner again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add scans</source>
        <translation>Scans hinzufügen</translation>
    </message>
    <message>
        <source>Add scans first</source>
        <translation>Zuerst Scans hinzufügen</translation>
    </message>
    <message>
        <source>Add scans, or let some wait again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add scans…</source>
        <translation>Scans hinzufügen…</translation>
    </message>
    <message>
        <source>Add the class to the table, or label with the numbers that it has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the node 'Paint labels' (segment.painted), and paint some voxels of each class, or link a volume and its labels to 'Examples' (input.examples)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the node Network</source>
        <translation>Den Knoten Netz hinzufügen</translation>
    </message>
    <message>
        <source>Add the node Network first</source>
        <translation>Zuerst den Knoten Netz hinzufügen</translation>
    </message>
    <message>
        <source>Add the node input.load_scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the other one, or state ObjectOffsetX and ObjectRoll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the scans of a table</source>
        <translation>Die Scans einer Tabelle hinzufügen</translation>
    </message>
    <message>
        <source>Add to the queue	Q</source>
        <translation>In die Warteschlange	Q</translation>
    </message>
    <message>
        <source>Added to the gantry angle of each view; empty = 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Adds a learned image to a volume: variational reconstruction with any objective.</source>
        <translation>Addiert ein gelerntes Bild zu einem Volumen: variationelle Rekonstruktion mit beliebiger Zielfunktion.</translation>
    </message>
    <message>
        <source>Adds it after the volume that has labels: one step that can be undone</source>
        <translation>Fügt ihn nach dem Volumen mit Labels ein: ein Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Adds the scans of a table (CSV), as the command line reads it</source>
        <translation>Fügt die Scans einer Tabelle (CSV) hinzu, wie die Befehlszeile sie liest</translation>
    </message>
    <message>
        <source>Adds up energy</source>
        <translation>Summiert Energie</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>Advanced (%1)</source>
        <translation>Erweitert (%1)</translation>
    </message>
    <message>
        <source>Advection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Affine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After a change, the previous slice is shown here; during learning, the slice before it.</source>
        <translation>Nach einer Änderung steht hier die vorige Schicht; beim Lernen die Schicht davor.</translation>
    </message>
    <message>
        <source>After the current point; the cores are free until you resume</source>
        <translation>Nach dem laufenden Punkt; die Kerne sind bis zum Fortsetzen frei</translation>
    </message>
    <message>
        <source>After the current step; the cores are free until you resume</source>
        <translation>Nach dem laufenden Schritt; die Kerne sind bis zum Fortsetzen frei</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>Gegen</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alarms</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>Align</source>
        <translation>Ausrichten</translation>
    </message>
    <message>
        <source>Align %1</source>
        <translation>%1 ausrichten</translation>
    </message>
    <message>
        <source>Align bottom</source>
        <translation>Unten ausrichten</translation>
    </message>
    <message>
        <source>Align centres</source>
        <translation>Zentriert ausrichten</translation>
    </message>
    <message>
        <source>Align frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align left</source>
        <translation>Links ausrichten</translation>
    </message>
    <message>
        <source>Align middles</source>
        <translation>Mittig ausrichten</translation>
    </message>
    <message>
        <source>Align right</source>
        <translation>Rechts ausrichten</translation>
    </message>
    <message>
        <source>Align them rigidly first, and give the table to start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align top</source>
        <translation>Oben ausrichten</translation>
    </message>
    <message>
        <source>Align views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Align volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>Ausrichtung</translation>
    </message>
    <message>
        <source>Aligns the frames of a burst, taken one after the other of the same view, and averages them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All %1 voxels are equal.</source>
        <translation>Alle %1 Voxel sind gleich.</translation>
    </message>
    <message>
        <source>All are at or below the dark signal, not finite or beyond 4e9: look at the views, flats and darks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All are not finite or beyond 4e9: look at what comes before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All classes</source>
        <translation>Alle Klassen</translation>
    </message>
    <message>
        <source>All failed scans wait again</source>
        <translation>Alle gescheiterten Scans warten wieder</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>All files of a stack have as many pages: take the odd one out of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All frames of a scan have the same size: remove the odd one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All frames of a stack have pixels of one type: remove the odd file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All frames of a stack have the same size: remove the odd file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All frames of a stack have the same size: remove the odd one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All frames, aligned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>All others</source>
        <translation>Alle anderen</translation>
    </message>
    <message>
        <source>All over the detector</source>
        <translation>Auf dem ganzen Detektor</translation>
    </message>
    <message>
        <source>All parameters of the selected step, with units, found values and their verdicts.</source>
        <translation>Alle Parameter des gewählten Schritts, mit Einheiten, gefundenen Werten und ihren Urteilen.</translation>
    </message>
    <message>
        <source>All rows by one</source>
        <translation>Alle Zeilen mit einem</translation>
    </message>
    <message>
        <source>All rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All samples need the same size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All slices of a volume have one size and type: remove the odd one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All slices of a volume have pixels of one size: remove the odd one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that were used and found, with units and verdicts</source>
        <translation>Alle benutzten und gefundenen, mit Einheiten und Urteilen</translation>
    </message>
    <message>
        <source>All three angles are needed: write the file again with them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All thresholds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All views of a scan have the size in ImageInfo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All voxels</source>
        <translation>Alle Voxel</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>Erlauben</translation>
    </message>
    <message>
        <source>Allow it with --allow-outside, or name the file yourself with --set %1=FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow less memory in the preferences, or crop or bin the scan</source>
        <translation>In den Einstellungen weniger Arbeitsspeicher erlauben, oder den Scan zuschneiden oder zusammenfassen</translation>
    </message>
    <message>
        <source>Allow this if you know where the scan comes from and the files belong to it.</source>
        <translation>Erlauben, wenn bekannt ist, woher der Scan kommt und dass die Dateien zu ihm gehören.</translation>
    </message>
    <message>
        <source>Allow writing to the file and its folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allowed difference from the median: a share of it for counts and transmission, absolute otherwise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Along columns too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alongside</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also corners (26)</source>
        <translation>Auch Ecken (26)</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>An entry needs definition = NXtomo, or instrument/detector with data and image_key, or a group NXdata whose signal has three dimensions, with image_key in the same group or an axis of angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An image (TIFF, MRC) that every frame is multiplied by. Empty: the frames are corrected already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An image, or several that are averaged, which is subtracted before the gain counts. Empty: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An objective.</source>
        <translation>Eine Zielfunktion.</translation>
    </message>
    <message>
        <source>And: first where second is</source>
        <translation>Und: Erstes, wo Zweites ist</translation>
    </message>
    <message>
        <source>Angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Angle about the rotation axis of the scan, in the plane of the slices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle about x, after the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle about y, after that about z.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle between successive views, where no file gives the angles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle between views, where neither file nor dataset gives them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle deviations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle of the first view, where neither file nor dataset gives them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle of the first view; needs the step between views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angle of the rotation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angles</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Angles as text</source>
        <translation>Winkel als Text</translation>
    </message>
    <message>
        <source>Angles in the file</source>
        <translation>Winkel in der Datei</translation>
    </message>
    <message>
        <source>Angles in the file, Angles as text or Step between views in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angles of the views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angular modes around zero that are left out of the score.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angular range</source>
        <translation>Winkelbereich</translation>
    </message>
    <message>
        <source>AngularStep is 0: all views have the same angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anisotropic diffusion by curvature: smooths along edges and leaves their contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another HDF5 file, a volume, or a folder of slices. Empty: they are in the file of the sinograms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another file or folder with the darks, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file of the scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another file or folder with the flats, of any format: NXtomo, HDF5, TIFF, EDF. Empty: they are in the file of the scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another is chosen by --data /ENTRY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another is chosen by Frames in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another one with the same voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another one.</source>
        <translation>Eine weitere.</translation>
    </message>
    <message>
        <source>Another pipeline ends the unfinished work on this one.</source>
        <translation>Eine andere Pipeline beendet die unfertige Arbeit an dieser.</translation>
    </message>
    <message>
        <source>Another scan is chosen by its number, in Frames in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another scan is chosen by its number: --data /%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another value</source>
        <translation>Anderer Wert</translation>
    </message>
    <message>
        <source>Another value fits about as well: look at the landscape.</source>
        <translation>Ein anderer Wert passt etwa ebenso gut: siehe Landschaft.</translation>
    </message>
    <message>
        <source>Another volume on the same grid, a further input channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any scan after the flat-field node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any scan, best as counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any scan.</source>
        <translation>Beliebiger Scan.</translation>
    </message>
    <message>
        <source>Any volume of finite values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any volume of finite values: the program's first channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any volume without NaN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any volume, for example from filtered back-projection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any volume.</source>
        <translation>Beliebiges Volumen.</translation>
    </message>
    <message>
        <source>Any volume; all of it is needed, and all its values must be finite.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anywhere in names, parameters, verdicts and errors (Ctrl+F)</source>
        <translation>Überall in Namen, Parametern, Urteilen und Fehlern (Strg+F)</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Arcs</source>
        <translation>Bögen</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>Anordnen</translation>
    </message>
    <message>
        <source>Arrange all</source>
        <translation>Alles anordnen</translation>
    </message>
    <message>
        <source>Arrow keys move the axis by half a pixel, with Shift by a twentieth.</source>
        <translation>Pfeiltasten verschieben die Achse um ein halbes Pixel, mit Umschalt um ein Zwanzigstel.</translation>
    </message>
    <message>
        <source>Arrow keys move the box, with Shift its lower right corner, with Ctrl by ten pixels.</source>
        <translation>Pfeiltasten verschieben den Quader, mit Umschalt seine rechte untere Ecke, mit Strg um zehn Pixel.</translation>
    </message>
    <message>
        <source>As before</source>
        <translation>Wie zuvor</translation>
    </message>
    <message>
        <source>As found</source>
        <translation>Wie gefunden</translation>
    </message>
    <message>
        <source>As recorded</source>
        <translation>Wie aufgezeichnet</translation>
    </message>
    <message>
        <source>As shown (%1 × %2)</source>
        <translation>Wie gezeigt (%1 × %2)</translation>
    </message>
    <message>
        <source>As the file says</source>
        <translation>Wie die Datei sagt</translation>
    </message>
    <message>
        <source>As the scan has it</source>
        <translation>Wie im Scan</translation>
    </message>
    <message>
        <source>Ask for 2 to 1000</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At %1 frames per second</source>
        <translation>Mit %1 Bildern je Sekunde</translation>
    </message>
    <message>
        <source>At least %1 are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least 4 x 4 are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least 4 x 4 pixels are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>At most %1</source>
        <translation>Höchstens %1</translation>
    </message>
    <message>
        <source>At most %1 numbers in all: crop or bin the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most one less than there are flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most: it ends sooner when no better epoch comes.</source>
        <translation>Höchstens: es endet früher, wenn keine bessere Epoche kommt.</translation>
    </message>
    <message>
        <source>At the centre · %1</source>
        <translation>In der Mitte · %1</translation>
    </message>
    <message>
        <source>Attenuation</source>
        <translation>Schwächung</translation>
    </message>
    <message>
        <source>Attenuation and phase of a material depend on it: set it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation in 1/mm, or a mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation of each material in the corrected views and in each energy bin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation of the foam or of the bodies; a matrix has half of it, air and pores have none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation of the phantom's value 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation with noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation, reconstructed from the other views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation, slices along the rotation axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attenuation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Auto: %1</source>
        <translation>Automatisch: %1</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Automatic ring removal: searches a few detector rows for stripes and removes them only if there are any.</source>
        <translation>Automatische Ringentfernung: sucht in wenigen Detektorzeilen nach Streifen und entfernt sie nur, wenn es welche gibt.</translation>
    </message>
    <message>
        <source>Automatic window</source>
        <translation>Automatisches Fenster</translation>
    </message>
    <message>
        <source>Automatic: %1</source>
        <translation>Automatisch: %1</translation>
    </message>
    <message>
        <source>Automatic: Newton for a few numbers, L-BFGS for many.</source>
        <translation>Automatisch: Newton bei wenigen Zahlen, L-BFGS bei vielen.</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>Mittelung</translation>
    </message>
    <message>
        <source>Average all flats, interpolate between those before and after each view, or take the last before each view, as while a scan arrives: later flats then change nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>Axis at each height above the detector centre, and whether the line uses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Axis by Vo's method</source>
        <translation>Achse nach Vo</translation>
    </message>
    <message>
        <source>Axis by image quality</source>
        <translation>Achse nach Bildqualität</translation>
    </message>
    <message>
        <source>Axis by moments</source>
        <translation>Achse aus Momenten</translation>
    </message>
    <message>
        <source>Axis by opposite rays</source>
        <translation>Achse aus Gegenstrahlen</translation>
    </message>
    <message>
        <source>Axis by overlap of a full turn</source>
        <translation>Achse aus der Überlappung einer vollen Drehung</translation>
    </message>
    <message>
        <source>Axis by phase correlation</source>
        <translation>Achse durch Phasenkorrelation</translation>
    </message>
    <message>
        <source>Axis by wedge consistency</source>
        <translation>Achse aus der Keilkonsistenz</translation>
    </message>
    <message>
        <source>Axis to detector</source>
        <translation>Achse bis Detektor</translation>
    </message>
    <message>
        <source>Axis, method chosen</source>
        <translation>Achse, gewähltes Verfahren</translation>
    </message>
    <message>
        <source>Axis, method chosen measures it.</source>
        <translation>Achse, gewähltes Verfahren misst sie.</translation>
    </message>
    <message>
        <source>B = before / after</source>
        <translation>B = vorher / nachher</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation>Zurück zur Vorgabe</translation>
    </message>
    <message>
        <source>Back to the default: %1</source>
        <translation>Zurück zur Vorgabe: %1</translation>
    </message>
    <message>
        <source>Back-projection</source>
        <translation>Rückprojektion</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Bad pixels</source>
        <translation>Defekte Pixel</translation>
    </message>
    <message>
        <source>Bad pixels fills them from their neighbours; a shorter exposure avoids them.</source>
        <translation>Defekte Pixel füllt sie aus ihren Nachbarn; eine kürzere Belichtung vermeidet sie.</translation>
    </message>
    <message>
        <source>Ball</source>
        <translation>Kugel</translation>
    </message>
    <message>
        <source>Ball through neighbouring slices</source>
        <translation>Kugel durch benachbarte Schichten</translation>
    </message>
    <message>
        <source>Ball, through several slices</source>
        <translation>Kugel, durch mehrere Schichten</translation>
    </message>
    <message>
        <source>Balloon</source>
        <translation>Ballon</translation>
    </message>
    <message>
        <source>Balls are numbered from the top, from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bartlett-Hann</source>
        <translation>Bartlett-Hann</translation>
    </message>
    <message>
        <source>Basins meet on its ridges; without it: the distances from the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Battery</source>
        <translation>Batterie</translation>
    </message>
    <message>
        <source>Beam</source>
        <translation>Strahl</translation>
    </message>
    <message>
        <source>Beam hardening</source>
        <translation>Strahlaufhärtung</translation>
    </message>
    <message>
        <source>Beam intensity</source>
        <translation>Strahlintensität</translation>
    </message>
    <message>
        <source>Beam spectrum</source>
        <translation>Strahlspektrum</translation>
    </message>
    <message>
        <source>Beam-hardening correction that finds the spectrum, the attenuations and the materials from the scan.</source>
        <translation>Korrektur der Strahlaufhärtung, die Spektrum, Schwächungen und Materialien aus dem Scan findet.</translation>
    </message>
    <message>
        <source>Beam-hardening correction: a polynomial of the absorption of a polychromatic beam.</source>
        <translation>Korrektur der Strahlaufhärtung: ein Polynom der Absorption eines polychromatischen Strahls.</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Before / after</source>
        <translation>Vorher / nachher</translation>
    </message>
    <message>
        <source>Before learning</source>
        <translation>Vor dem Lernen</translation>
    </message>
    <message>
        <source>Before · %1</source>
        <translation>Vorher · %1</translation>
    </message>
    <message>
        <source>Begin with</source>
        <translation>Beginnen mit</translation>
    </message>
    <message>
        <source>Begin with a network</source>
        <translation>Mit einem Netz beginnen</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beta: the larger, the harder is a step between different values; in variances of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beyond the detector</source>
        <translation>Jenseits des Detektors</translation>
    </message>
    <message>
        <source>Big-endian</source>
        <translation>Big-Endian</translation>
    </message>
    <message>
        <source>Bilateral filter</source>
        <translation>Bilateraler Filter</translation>
    </message>
    <message>
        <source>Bilateral filter of views</source>
        <translation>Bilateraler Filter der Projektionen</translation>
    </message>
    <message>
        <source>Bilateral filter: smooths a volume and keeps its edges.</source>
        <translation>Bilateraler Filter: glättet ein Volumen und erhält seine Kanten.</translation>
    </message>
    <message>
        <source>Bilateral filter: smooths every view and keeps edges.</source>
        <translation>Bilateraler Filter: glättet jede Projektion und erhält Kanten.</translation>
    </message>
    <message>
        <source>Bin</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Bin columns</source>
        <translation>Spalten zusammenfassen</translation>
    </message>
    <message>
        <source>Bin rows</source>
        <translation>Zeilen zusammenfassen</translation>
    </message>
    <message>
        <source>Binning</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Binning of the pixels along each side while the combination is searched, to reduce noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>Klassenzahl</translation>
    </message>
    <message>
        <source>Bins of the histograms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Bits of a voxel. Automatic: 16 where all numbers fit; labels with a table of classes have 32 only if a number in it needs them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Black</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>Blackman</source>
        <translation>Blackman</translation>
    </message>
    <message>
        <source>Blackman-Harris</source>
        <translation>Blackman-Harris</translation>
    </message>
    <message>
        <source>Blackman-Nuttall</source>
        <translation>Blackman-Nuttall</translation>
    </message>
    <message>
        <source>Blending of the two views</source>
        <translation>Mischung der beiden Projektionen</translation>
    </message>
    <message>
        <source>Blobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blue to red</source>
        <translation>Blau bis Rot</translation>
    </message>
    <message>
        <source>Bodies</source>
        <translation>Körper</translation>
    </message>
    <message>
        <source>Bone</source>
        <translation>Knochen</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beide</translation>
    </message>
    <message>
        <source>Both must be on the same grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both scans need the same angles, axis and tilt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Box</source>
        <translation>Quader</translation>
    </message>
    <message>
        <source>Brighter</source>
        <translation>Heller</translation>
    </message>
    <message>
        <source>Bring both onto one grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring both onto one grid: reconstruct onto the grid of the labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring both to the same kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse</source>
        <translation>Durchsuchen</translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>Bruker SkyScan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brush</source>
        <translation>Pinsel</translation>
    </message>
    <message>
        <source>Brush and ball only on grey values near the one under the first click; { and } change how near</source>
        <translation>Pinsel und Kugel nur auf Grauwerten nahe dem unter dem ersten Klick; { und } ändern, wie nahe</translation>
    </message>
    <message>
        <source>Brush on this slice</source>
        <translation>Pinsel auf dieser Schicht</translation>
    </message>
    <message>
        <source>Build the network from convolutions, rectifiers (Relu), poolings, batch norm, sums and concatenation, or run it elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Build the network of the operators that the documentation of ONNX files lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By frame: shift along columns and rows (downwards) against the middle frame of its burst.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By how much the geometry that the scan states may miss a ball; less than half the distance between them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By index</source>
        <translation>Nach Index</translation>
    </message>
    <message>
        <source>By position</source>
        <translation>Nach Ort</translation>
    </message>
    <message>
        <source>By the ending of the name</source>
        <translation>Nach der Endung des Namens</translation>
    </message>
    <message>
        <source>By the forecast of the largest scan: %1 times its time here, %2 times its memory.</source>
        <translation>Nach der Vorhersage des größten Scans: das %1-Fache seiner Zeit hier, das %2-Fache seines Speichers.</translation>
    </message>
    <message>
        <source>By view: rlnAngleRot, rlnAngleTilt, rlnAnglePsi, rlnOriginXAngst, rlnOriginYAngst.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By view: what was found and one sigma (0: the view does not show it), root mean square error of its prediction before and after, whether it jumps, whether the geometry uses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>Überbrücken</translation>
    </message>
    <message>
        <source>Bypass %1</source>
        <translation>%1 überbrücken</translation>
    </message>
    <message>
        <source>Bytes before the first pixel in files without a header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CGLS</source>
        <translation>CGLS</translation>
    </message>
    <message>
        <source>CGLS, conjugate gradients for least squares: iterative reconstruction with the fastest decrease of the residual.</source>
        <translation>CGLS, konjugierte Gradienten für kleinste Quadrate: iterative Rekonstruktion, deren Residuum am schnellsten fällt.</translation>
    </message>
    <message>
        <source>CNN</source>
        <translation>CNN</translation>
    </message>
    <message>
        <source>CPU · %1 cores</source>
        <translation>CPU · %1 Kerne</translation>
    </message>
    <message>
        <source>CPU · %1 cores · %2</source>
        <translation>CPU · %1 Kerne · %2</translation>
    </message>
    <message>
        <source>CPU · 1 core</source>
        <translation>CPU · 1 Kern</translation>
    </message>
    <message>
        <source>CPU · 1 core · %1</source>
        <translation>CPU · 1 Kern · %1</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>CTF phase retrieval of a weakly absorbing object from one propagation distance; for long distances.</source>
        <translation>CTF-Phasenrekonstruktion eines schwach absorbierenden Objekts aus einem Abstand; für lange Abstände.</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>Calibrates the grey values of a volume by two materials whose values are known.</source>
        <translation>Kalibriert die Grauwerte eines Volumens an zwei Materialien, deren Werte bekannt sind.</translation>
    </message>
    <message>
        <source>Call contiguous() first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the job</source>
        <translation>Auftrag abbrechen</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>Zeichenfläche</translation>
    </message>
    <message>
        <source>Canvas of the pipeline</source>
        <translation>Zeichenfläche der Pipeline</translation>
    </message>
    <message>
        <source>Cards are steps, links are data. Tab adds a step after the selected one; a click on a value changes it.</source>
        <translation>Karten sind Schritte, Verbindungen sind Daten. Tab fügt einen Schritt nach dem gewählten hinzu; ein Klick auf einen Wert ändert ihn.</translation>
    </message>
    <message>
        <source>Centre column</source>
        <translation>Mittlere Spalte</translation>
    </message>
    <message>
        <source>Centre of the distortion, column counted from 0 at the centre of the first pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre of the distortion, row counted from 0 at the centre of the top pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centre row</source>
        <translation>Mittlere Zeile</translation>
    </message>
    <message>
        <source>Centres of mass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centres of the balls from the top, and in how many views each was used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Centres of the volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Change %1 of %2</source>
        <translation>%1 von %2 ändern</translation>
    </message>
    <message>
        <source>Change comment</source>
        <translation>Kommentar ändern</translation>
    </message>
    <message>
        <source>Change how %1 is learned</source>
        <translation>Ändern, wie %1 gelernt wird</translation>
    </message>
    <message>
        <source>Change how it is learned</source>
        <translation>Ändern, wie gelernt wird</translation>
    </message>
    <message>
        <source>Change of the size of each view, such as by a source or a sample that moves along the beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change only the pixels in which a stripe is found, or all of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change parameters…	F2</source>
        <translation>Parameter ändern…	F2</translation>
    </message>
    <message>
        <source>Change the columns in which a stripe is found, or every column as in the paper, which smooths the object as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change to a folder that exists, and try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Changed by somebody else</source>
        <translation>Von jemand anderem geändert</translation>
    </message>
    <message>
        <source>Changed since it was saved</source>
        <translation>Seit dem Speichern geändert</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern…</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>Channels of every hidden layer; the output layer with one channel comes after them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check %1</source>
        <translation>%1 prüfen</translation>
    </message>
    <message>
        <source>Check flat-field and logarithm, or choose other rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check gradients</source>
        <translation>Gradienten prüfen</translation>
    </message>
    <message>
        <source>Check its permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check node</source>
        <translation>Knoten prüfen</translation>
    </message>
    <message>
        <source>Check partition, account, cores, memory and time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check size, type and offset, or say how many frames it holds: 2048x2048x1500</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is an EDF file, and was copied whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is the right file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is there and may be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is there, and its permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it was copied whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it was copied whole and not renamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that the disk has room and the folder may be written to (HDF5 says: %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that the disk has room and the folder may be written to (HDF5 says: %1). What was written until a second ago is there: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that the folder exists and may be written to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the axis, or choose none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk, and that the file is whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the distances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the gradients of the chosen node</source>
        <translation>Die Gradienten des gewählten Knotens prüfen</translation>
    </message>
    <message>
        <source>Check the laminography angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the number of classes and of volumes, and whether it is one of 2 or 3 dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the path</source>
        <translation>Den Pfad prüfen</translation>
    </message>
    <message>
        <source>Check the path and the permissions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the unit of the thickness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check whether the volume is scaled as those that it was trained with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check which images are flats and darks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkerboard</source>
        <translation>Schachbrett</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Chemical formula (CaCO3) or NIST name (Water, Liquid) of the phantom's value 1; empty: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chemical formula (CaCO3) or NIST name (Water, Liquid).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>%1 wählen</translation>
    </message>
    <message>
        <source>Choose 0 (none) to %1 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 0 below and 0.2 above the cut-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 0 or a positive number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 1 for the inscribed circle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 1 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 1 to 10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 16-bit integers, with low and high, or another format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 32 bits in Numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 32 bits: --set NODE.numbers=b32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 8 or 16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a STAR file with a row for each view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a TIFF that Tomoloom wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a device with more memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a factor from 1 to that number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a few voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file name in a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file of a network that Tomoloom wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file of a network, or make one with tomoloom network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that Save model wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that Save model wrote after a network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that Save model wrote after a pixel classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that torch.jit.save wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that torch.jit.save wrote; one of torch.save alone has no program in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a filter other than 'none'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder with space for scratch files in the preferences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a lower order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a name outside of that folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a name outside of the folder of the frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a name outside of the folder of the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a network that gives a value for every pixel; a classifier of whole windows becomes one when it is converted to sk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a network with more layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a pipeline for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a pipeline for it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a scan that has them, or leave this node out if the data is corrected already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a scan…</source>
        <translation>Scan wählen…</translation>
    </message>
    <message>
        <source>Choose a single number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a slice XY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a smaller radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a smaller volume or a device with more memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a smaller width, or FBP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a step.</source>
        <translation>Einen Schritt wählen.</translation>
    </message>
    <message>
        <source>Choose a value above 0 and at most 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a value from 1 to 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a volume that Tomoloom wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a volume…</source>
        <translation>Volumen wählen…</translation>
    </message>
    <message>
        <source>Choose about half the width of the objects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose about one voxel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose about the noise of the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose above: another result, or another value</source>
        <translation>Oben wählen: ein anderes Ergebnis oder einen anderen Wert</translation>
    </message>
    <message>
        <source>Choose an edge of patches other than 0, or one patch in a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an odd number from 3 to 31</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an odd number, 5 to 101</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an output in a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>Eine andere Datei wählen</translation>
    </message>
    <message>
        <source>Choose another folder</source>
        <translation>Einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>Choose another folder for them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another folder for them with --out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another format, or 16 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another format, or detect it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name</source>
        <translation>Einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>Choose another name, or allow it to be replaced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name, or allow it with --overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name, or allow overwriting (--overwrite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name, or run all (F5) and answer Replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another network file</source>
        <translation>Eine andere Netzdatei wählen</translation>
    </message>
    <message>
        <source>Choose another network to prune</source>
        <translation>Ein anderes Netz zum Beschneiden wählen</translation>
    </message>
    <message>
        <source>Choose another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another one: TL_HISTORY=FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another output name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another scan, or name the dataset's file format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at least one kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose at most the number of columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose automatic or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose columns that see the empty beam in all views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose correlation or mutual information</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose fewer classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose fewer classes, or another region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose fewer trees or fewer samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose float32 or uint16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose its file, or train one on painted labels (Learning, tab Network)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose its file; tomoloom network writes one from trained weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose larger voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose none, or another format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one above 0, and at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of the list</source>
        <translation>Eines aus der Liste wählen</translation>
    </message>
    <message>
        <source>Choose one of those that are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one or two numbers of a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose other values, or Full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose scores in It gives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose slices, and the edge of a box</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the CPU, or install the module and a driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the colour of the chosen class (C)</source>
        <translation>Farbe der gewählten Klasse wählen (C)</translation>
    </message>
    <message>
        <source>Choose the colours</source>
        <translation>Farben wählen</translation>
    </message>
    <message>
        <source>Choose the datasets</source>
        <translation>Datensätze wählen</translation>
    </message>
    <message>
        <source>Choose the file in the form of the node that reads it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file in the form of the output node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file next to the pipeline, or none to start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file next to the pipeline, or set "stroke" to 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file of a model, or save its numbers in half precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file of a network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file of a network, or save its numbers in half precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file of the labels in the form of this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the file of the sinograms in the form of this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the files of an image series</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the movie's file in the form of this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the network that these weights are of, or remove what is not part of it from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the objective %1</source>
        <translation>Zielfunktion %1 wählen</translation>
    </message>
    <message>
        <source>Choose the scan's file in the form of this node, or drop it on the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the volume's file in the form of this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the width of the edges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose two to three times the noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose uint16 and the values that become 0 and 65535</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose what this pane shows (M)</source>
        <translation>Wählen, was dieses Feld zeigt (M)</translation>
    </message>
    <message>
        <source>Choose where the pruned network goes</source>
        <translation>Wählen, wohin das beschnittene Netz kommt</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Chosen: %1</source>
        <translation>Gewählt: %1</translation>
    </message>
    <message>
        <source>Circle about the axis that encloses the object, as a share of half the detector width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Circles and squares</source>
        <translation>Kreise und Quadrate</translation>
    </message>
    <message>
        <source>Circular mask</source>
        <translation>Kreismaske</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Clamp the volume first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Classes are numbered from 0, the darkest, to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes or objects: each number gets a surface.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Click an image to use its values.</source>
        <translation>Ein Klick auf ein Bild übernimmt dessen Werte.</translation>
    </message>
    <message>
        <source>Click to go to the parameter</source>
        <translation>Ein Klick führt zum Parameter</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Beschneiden</translation>
    </message>
    <message>
        <source>Clip %1 % of the pixels at each end</source>
        <translation>%1 % der Pixel an jedem Ende abschneiden</translation>
    </message>
    <message>
        <source>Clip limit</source>
        <translation>Kontrastgrenze</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close messages</source>
        <translation>Meldungen schließen</translation>
    </message>
    <message>
        <source>Close other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close other programs, or raise the limits of processes and memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the pipeline there, or save this one under another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this error</source>
        <translation>Diesen Fehler schließen</translation>
    </message>
    <message>
        <source>Close this note</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
        <source>Closing the window ends unfinished work.</source>
        <translation>Mit dem Fenster endet unfertige Arbeit.</translation>
    </message>
    <message>
        <source>Closing: the last frames are written</source>
        <translation>Wird geschlossen: die letzten Bilder werden geschrieben</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>Wolke</translation>
    </message>
    <message>
        <source>Coarsest level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coarsest pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Einklappen</translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation>%1 einklappen</translation>
    </message>
    <message>
        <source>Colour a class</source>
        <translation>Eine Klasse färben</translation>
    </message>
    <message>
        <source>Colour map and window of the slices; opacity from the histogram</source>
        <translation>Farben und Fenster der Schichten; Deckkraft aus dem Histogramm</translation>
    </message>
    <message>
        <source>Colour of a class</source>
        <translation>Farbe einer Klasse</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Colours and opacity of the 3D view</source>
        <translation>Farben und Deckkraft der 3D-Ansicht</translation>
    </message>
    <message>
        <source>Colours and opacity: from the values of the object, those of the histogram, or a tint by material (T)</source>
        <translation>Farben und Deckkraft: aus den Werten des Objekts, die des Histogramms, oder eine Einfärbung nach Material (T)</translation>
    </message>
    <message>
        <source>Colours are like #3366cc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours of the 3D view</source>
        <translation>Farben der 3D-Ansicht</translation>
    </message>
    <message>
        <source>Colours of the slices and projections</source>
        <translation>Farben der Schichten und Projektionen</translation>
    </message>
    <message>
        <source>Colours: %1</source>
        <translation>Farben: %1</translation>
    </message>
    <message>
        <source>Colour…</source>
        <translation>Farbe…</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Columns of empty beam at the left edge; 0 = none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of empty beam at the right edge; 0 = none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the median window of sorting and filtering: wider than the widest stripe to remove; made odd.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns: left and right are exchanged. Rows: top and bottom.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Combine labels</source>
        <translation>Labels verknüpfen</translation>
    </message>
    <message>
        <source>Combines two sets of labels: and, or, minus, exclusive or.</source>
        <translation>Verknüpft zwei Sätze von Labels: und, oder, minus, entweder-oder.</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Comment…</source>
        <translation>Kommentar…</translation>
    </message>
    <message>
        <source>Compactness</source>
        <translation>Kompaktheit</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare 2</source>
        <translation>2 vergleichen</translation>
    </message>
    <message>
        <source>Compare by index if both are of the same voxels, or correct the position of one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare by position, or crop one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare scans of the same shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare scans whose views are in the same order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare two</source>
        <translation>Zwei vergleichen</translation>
    </message>
    <message>
        <source>Compare volumes on the same grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare what lies on the same grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compared slice %1</source>
        <translation>Verglichene Schicht %1</translation>
    </message>
    <message>
        <source>Comparing parameters and voxels…</source>
        <translation>Parameter und Voxel werden verglichen…</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>Komponenten</translation>
    </message>
    <message>
        <source>Components x, y and z in mm, such as those of Align volumes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Compute the table</source>
        <translation>Tabelle berechnen</translation>
    </message>
    <message>
        <source>Computes all points; the pipeline stays as it is</source>
        <translation>Berechnet alle Punkte; die Pipeline bleibt, wie sie ist</translation>
    </message>
    <message>
        <source>Computes mean, variance, minimum and maximum of a volume.</source>
        <translation>Berechnet Mittel, Varianz, Minimum und Maximum eines Volumens.</translation>
    </message>
    <message>
        <source>Computes on</source>
        <translation>Rechnet auf</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Computing device</source>
        <translation>Rechengerät</translation>
    </message>
    <message>
        <source>Computing the volumes that have labels…</source>
        <translation>Die Volumen mit Labels werden berechnet…</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>Computing… The right axis gives the fewest negative values.</source>
        <translation>Wird berechnet… Die richtige Achse ergibt die wenigsten negativen Werte.</translation>
    </message>
    <message>
        <source>Conditions are arithmetic and comparisons of parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conditions on columns, joined by "and"; without a comparison, what a number contains</source>
        <translation>Bedingungen an Spalten, mit „and“ verbunden; ohne Vergleich: was eine Zahl enthält</translation>
    </message>
    <message>
        <source>Conductance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cone</source>
        <translation>Kegel</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connect %1 to…</source>
        <translation>%1 verbinden mit…</translation>
    </message>
    <message>
        <source>Connect a scan with a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect input %1 to…</source>
        <translation>Eingang %1 verbinden mit…</translation>
    </message>
    <message>
        <source>Connect the displacement of a registration: components x, y and z in mm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect the table 'shifts' of 'Align frames', or choose a name that ends in .csv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect to…</source>
        <translation>Verbinden mit…</translation>
    </message>
    <message>
        <source>Connect volumes with more voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected components: gives each connected object a number of its own, and counts them.</source>
        <translation>Zusammenhangskomponenten: gibt jedem zusammenhängenden Objekt eine eigene Nummer und zählt sie.</translation>
    </message>
    <message>
        <source>Connected, waiting for frames</source>
        <translation>Verbunden, wartet auf Bilder</translation>
    </message>
    <message>
        <source>Consistency of moments</source>
        <translation>Konsistenz der Momente</translation>
    </message>
    <message>
        <source>Content of the cylinder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Contents of %1</source>
        <translation>Inhalt von %1</translation>
    </message>
    <message>
        <source>Contents of the file</source>
        <translation>Inhalt der Datei</translation>
    </message>
    <message>
        <source>Contour along edges</source>
        <translation>Kontur entlang Kanten</translation>
    </message>
    <message>
        <source>Contour by means</source>
        <translation>Kontur nach Mittelwerten</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>Contrast transfer function</source>
        <translation>Kontrastübertragungsfunktion</translation>
    </message>
    <message>
        <source>Control points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Control points of what differs over the image; empty: nothing does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert a classifier of windows, such as sw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert it to NIfTI (.nii) by the program that wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert the series by another program, to NIfTI or MetaImage for example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert them to a TIFF or MRC movie, for example by relion_convert_to_tiff (RELION), clip unpack or alignframes (IMOD)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert to float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert to float32 (work) or float64 (verification)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convolutional network</source>
        <translation>Faltungsnetz</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it again from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it again from its source (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it again from its source, or repair it with h5repack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it again from its source, or rewrite it with smaller chunks or tiles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it and the files that it is linked to into one folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy or export the file again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy or save it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy or save the file again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the array into the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the file again (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the file again from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the file again, or train the network again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the file from the scanner again, or save it as plain text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the files into the folder of the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the frames of the scan into the folder of the geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the missing frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the missing frames, move other TIFF files away, or correct Projections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the missing frames, or correct %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the missing frames, or the geometry of this scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the missing slices, or write the part that you want as a volume of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the numbers	Ctrl+C</source>
        <translation>Zahlen kopieren	Strg+C</translation>
    </message>
    <message>
        <source>Copy the profile as CSV</source>
        <translation>Profil als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy the table (Ctrl+C)</source>
        <translation>Tabelle kopieren (Strg+C)</translation>
    </message>
    <message>
        <source>Copy the view</source>
        <translation>Ansicht kopieren</translation>
    </message>
    <message>
        <source>Copy the volume with the files that it is linked to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corner cut out at the slices</source>
        <translation>Ecke an den Schichten ausgeschnitten</translation>
    </message>
    <message>
        <source>Correct InputFolderName</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct it, or save the image again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the angles in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the distances in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the file, or give the angles: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the keys in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the line, or copy the file from the scanner again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the line; decimals follow a point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the row, or leave it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the sizes or the type in the header, or cut the file to its voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the text there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the text there; NaN and infinity are not JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct vox_offset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct vox_offset: in files of one piece it is %1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Corrected absorption.</source>
        <translation>Korrigierte Absorption.</translation>
    </message>
    <message>
        <source>Correction</source>
        <translation>Korrektur</translation>
    </message>
    <message>
        <source>Corrects the radial distortion of the detector's optics.</source>
        <translation>Korrigiert die radiale Verzeichnung der Detektoroptik.</translation>
    </message>
    <message>
        <source>Correlation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Zählen</translation>
    </message>
    <message>
        <source>Count the voxels of all classes</source>
        <translation>Voxel aller Klassen zählen</translation>
    </message>
    <message>
        <source>Counter-clockwise as seen on screen, before it is mirrored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counterclockwise; the geometry is then taken as that of the rotated views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Wird gezählt…</translation>
    </message>
    <message>
        <source>Counts</source>
        <translation>Zählwerte</translation>
    </message>
    <message>
        <source>Counts how often each value occurs in a volume, and gives percentiles.</source>
        <translation>Zählt, wie oft jeder Wert in einem Volumen vorkommt, und gibt Perzentile an.</translation>
    </message>
    <message>
        <source>Counts need flats; transmission is counts over flats, 1 or 100 percent in air; absorption is its negative logarithm and goes into the reconstruction as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counts photons</source>
        <translation>Zählt Photonen</translation>
    </message>
    <message>
        <source>Counts with flats or darks; any scan if a saturation is given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create New Folder</source>
        <translation>Neuen Ordner anlegen</translation>
    </message>
    <message>
        <source>Create it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crop and bin</source>
        <translation>Zuschneiden und zusammenfassen</translation>
    </message>
    <message>
        <source>Crop and bin volume</source>
        <translation>Volumen zuschneiden und zusammenfassen</translation>
    </message>
    <message>
        <source>Crop labels</source>
        <translation>Labels zuschneiden</translation>
    </message>
    <message>
        <source>Crop or bin it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crop or bin the scan before the parameters that are learned, or give more %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crop or bin the volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crops a volume and bins voxels by averaging.</source>
        <translation>Schneidet ein Volumen zu und fasst Voxel durch Mitteln zusammen.</translation>
    </message>
    <message>
        <source>Crops labels; with binning, each block of voxels takes the label of its central voxel.</source>
        <translation>Schneidet Labels zu; beim Zusammenfassen erhält jeder Block von Voxeln das Label seines mittleren Voxels.</translation>
    </message>
    <message>
        <source>Crops the detector and bins pixels by averaging.</source>
        <translation>Schneidet den Detektor zu und fasst Pixel durch Mitteln zusammen.</translation>
    </message>
    <message>
        <source>Cross-entropy</source>
        <translation>Kreuzentropie</translation>
    </message>
    <message>
        <source>Cross-entropy in nats, 1 - Dice coefficient, or their sum; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross-entropy in nats; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross-entropy of a soft segmentation and a mask.</source>
        <translation>Kreuzentropie einer weichen Segmentierung und einer Maske.</translation>
    </message>
    <message>
        <source>Cross-entropy: the mean of -log of the probability of the true class. Dice: 1 less the mean over the classes of the overlap 2 |p t| / (|p| + |t|), for which small classes count as much as large ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>Cubic</source>
        <translation>Kubisch</translation>
    </message>
    <message>
        <source>Curvature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curvature diffusion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>Cut a box out of the volume</source>
        <translation>Einen Quader aus dem Volumen ausschneiden</translation>
    </message>
    <message>
        <source>Cut it into fewer parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cutoff</source>
        <translation>Grenzfrequenz</translation>
    </message>
    <message>
        <source>Cycles over the scan below which a change along the views counts as a stripe; 0 = off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cylinder</source>
        <translation>Zylinder</translation>
    </message>
    <message>
        <source>DICOM series</source>
        <translation>DICOM-Serie</translation>
    </message>
    <message>
        <source>DICOM series hold 16-bit integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Damping</source>
        <translation>Dämpfung</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Dark level</source>
        <translation>Dunkelwert</translation>
    </message>
    <message>
        <source>Dark reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darker</source>
        <translation>Dunkler</translation>
    </message>
    <message>
        <source>Darks</source>
        <translation>Dunkelbilder</translation>
    </message>
    <message>
        <source>Darks in the file</source>
        <translation>Dunkelbilder in der Datei</translation>
    </message>
    <message>
        <source>Darks of the scan</source>
        <translation>Dunkelbilder des Scans</translation>
    </message>
    <message>
        <source>Darks of the scan, in the form of the load node, can be left out: the dark signal is then 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Darks, taken without beam: n × row × column, or their average.</source>
        <translation>Dunkelbilder, ohne Strahl aufgenommen: n × Zeile × Spalte, oder ihr Mittel.</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Data types 5 (uint16) and 10 (float32) can be read: export the scan again from the vendor's program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Datasets in the file…</source>
        <translation>Datensätze in der Datei…</translation>
    </message>
    <message>
        <source>Datasets of %1</source>
        <translation>Datensätze von %1</translation>
    </message>
    <message>
        <source>Date Modified</source>
        <translation>Geändert am</translation>
    </message>
    <message>
        <source>Dead and fluctuating</source>
        <translation>Tot und schwankend</translation>
    </message>
    <message>
        <source>Dead pixels</source>
        <translation>Tote Pixel</translation>
    </message>
    <message>
        <source>Decrement of the refractive index 1 - delta + i beta. A number may set and learn that of several nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>Deformation (B-splines)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deformation: distance of the control points in voxels of the fixed volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deformation: how much neighbouring control points must agree; larger is smoother.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Delete %1 entries?</source>
        <translation>%1 Einträge löschen?</translation>
    </message>
    <message>
        <source>Delete and close the gap</source>
        <translation>Löschen und Lücke schließen</translation>
    </message>
    <message>
        <source>Delete entries, and if wanted their files (Del)</source>
        <translation>Einträge löschen, auf Wunsch mit Dateien (Entf)</translation>
    </message>
    <message>
        <source>Delete files too, frees %1</source>
        <translation>Auch Dateien löschen, gibt %1 frei</translation>
    </message>
    <message>
        <source>Delete from the history only</source>
        <translation>Nur aus dem Verlauf löschen</translation>
    </message>
    <message>
        <source>Delete the file, and prune from the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the file, and train from the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this entry?</source>
        <translation>Diesen Eintrag löschen?</translation>
    </message>
    <message>
        <source>Delete those of one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete, frees %1…</source>
        <translation>Löschen, gibt %1 frei…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Denoising steps</source>
        <translation>Entrauschungsschritte</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>Dichte</translation>
    </message>
    <message>
        <source>Density of the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Density of the material.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Density of the scintillator.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dentine in warm yellow, enamel white and opaque</source>
        <translation>Dentin in warmem Gelb, Schmelz weiß und deckend</translation>
    </message>
    <message>
        <source>Detail View</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Detect</source>
        <translation>Erkennen</translation>
    </message>
    <message>
        <source>Detection limit</source>
        <translation>Nachweisgrenze</translation>
    </message>
    <message>
        <source>Detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <source>Detector columns.</source>
        <translation>Detektorspalten.</translation>
    </message>
    <message>
        <source>Detector counts with flats and darks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detector counts with flats, darks and the true geometry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detector counts with several flats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detector pitch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detector rows that are searched, in the middle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detector rows.</source>
        <translation>Detektorzeilen.</translation>
    </message>
    <message>
        <source>Detector yaw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Dice</source>
        <translation>Dice</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Difference of Gaussians</source>
        <translation>Differenz von Gauß-Filtern</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Differences over two pixels are those of Schoonhoven's thesis (2024); the retrieval is not their inverse.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences well below this, in the unit of the volume, count as their square: that makes the score smooth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dilate</source>
        <translation>Dilatieren</translation>
    </message>
    <message>
        <source>Direct Fourier reconstruction in three dimensions: parallel-beam views from any directions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Directions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Directions from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Directory:</source>
        <translation>Ordner:</translation>
    </message>
    <message>
        <source>Disc</source>
        <translation>Scheibe</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard and train</source>
        <translation>Verwerfen und trainieren</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Dismiss hint</source>
        <translation>Hinweis ausblenden</translation>
    </message>
    <message>
        <source>Displaced detector (Wang)</source>
        <translation>Versetzter Detektor (Wang)</translation>
    </message>
    <message>
        <source>Displacement along x, y and z at the control points of cubic B-splines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Distance between detector columns, and edge of the voxels of the slices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance between detector columns; the distance between rows is scaled by the same factor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance between the centres of two balls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from source to axis: from the known length, else as given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from source to detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from the rotation axis to the detector (cone beam).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from the rotation axis to the detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from the source to the detector (cone beam), in place of that from axis to detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from the source to the rotation axis (cone beam).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance from the source to the rotation axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance map</source>
        <translation>Abstandskarte</translation>
    </message>
    <message>
        <source>Distance of the control points, in voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance of the energies at which the spectrum is sampled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance transform: how far each labelled voxel is from the nearest background.</source>
        <translation>Abstandstransformation: wie weit jedes Voxel mit Label vom nächsten Hintergrund entfernt ist.</translation>
    </message>
    <message>
        <source>Divide by the scan's flats, or take the views as transmission.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divided into as many equal steps as there are views; no view is taken at the end of the range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not learn %1</source>
        <translation>%1 nicht lernen</translation>
    </message>
    <message>
        <source>Do not learn this parameter</source>
        <translation>Diesen Parameter nicht lernen</translation>
    </message>
    <message>
        <source>Do not show this hint for this pipeline</source>
        <translation>Diesen Hinweis bei dieser Pipeline nicht mehr zeigen</translation>
    </message>
    <message>
        <source>Don't allow</source>
        <translation>Nicht erlauben</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Done in %1.</source>
        <translation>Fertig in %1.</translation>
    </message>
    <message>
        <source>Dot test and gradients of the chosen node, on a small input of the same kind, in float64</source>
        <translation>Skalarprodukttest und Gradienten des gewählten Knotens, auf kleinen gleichartigen Eingaben, in float64</translation>
    </message>
    <message>
        <source>Double click or F2 to name it</source>
        <translation>Doppelklick oder F2 zum Benennen</translation>
    </message>
    <message>
        <source>Double flat-field</source>
        <translation>Doppelte Hellbildkorrektur</translation>
    </message>
    <message>
        <source>Double flat-field against ring artefacts: removes the fine structure of the mean of all views.</source>
        <translation>Doppelte Hellbildkorrektur gegen Ringartefakte: entfernt die feine Struktur des Mittels aller Projektionen.</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Ab</translation>
    </message>
    <message>
        <source>Drag a link to it from %1.</source>
        <translation>Von %1 eine Verbindung dorthin ziehen.</translation>
    </message>
    <message>
        <source>Drag a point; double-click adds one, Delete removes it. Keys: Left and Right choose a point, Up and Down change its weight, Shift+Left and Shift+Right its energy, + adds one after it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag rows to order them · a double click under Changed changes this scan alone · Space pauses a row · Enter shows the result</source>
        <translation>Zeilen ziehen ordnet sie · ein Doppelklick unter Geändert ändert nur diesen Scan · Leertaste hält eine Zeile an · Enter zeigt das Ergebnis</translation>
    </message>
    <message>
        <source>Drag sideways until both views agree; Shift is finer. The wheel zooms, the middle button shifts. Arrow keys move by half a pixel, with Shift by a twentieth.</source>
        <translation>Seitwärts ziehen, bis beide Projektionen übereinstimmen; mit Umschalt feiner. Das Rad zoomt, die mittlere Taste verschiebt. Pfeiltasten verschieben um ein halbes Pixel, mit Umschalt um ein Zwanzigstel.</translation>
    </message>
    <message>
        <source>Drag the edges of the frame.
Keys: arrows move an edge, with Shift by ten voxels; Space takes the next one.</source>
        <translation>Die Kanten des Rahmens ziehen.
Tasten: Pfeile verschieben eine Kante, mit Umschalt um zehn Voxel; Leertaste nimmt die nächste.</translation>
    </message>
    <message>
        <source>Drag the ends, or the bar between them</source>
        <translation>Die Enden ziehen oder den Balken dazwischen</translation>
    </message>
    <message>
        <source>Drag the lines to set the window, or what is between them to move it.
Keys: left and right move the window, up and down change its width.
Dashed lines are thresholds of the labels on screen: drag them, or T and the arrow keys.</source>
        <translation>Linien ziehen setzt das Fenster, dazwischen ziehen verschiebt es.
Tasten: Links und Rechts verschieben das Fenster, Auf und Ab ändern seine Breite.
Gestrichelte Linien sind Schwellen der gezeigten Labels: ziehen, oder T und die Pfeiltasten.</translation>
    </message>
    <message>
        <source>Drag the lines.
Keys: left and right move one of them, with Shift by ten steps; up and down take the other one.</source>
        <translation>Die Linien ziehen.
Tasten: Links und Rechts verschieben eine davon, mit Umschalt um zehn Schritte; Auf und Ab nehmen die andere.</translation>
    </message>
    <message>
        <source>Drag to move, wheel to zoom (Ctrl: x, Shift: y), Shift and drag for a box, double click for everything.
Keys: left and right read values, + and - zoom, Ctrl and arrows move, 0 everything, L logarithmic.</source>
        <translation>Ziehen verschiebt, das Rad zoomt (Strg: x, Umschalt: y), Umschalt und ziehen für einen Ausschnitt, Doppelklick für alles.
Tasten: Links und Rechts lesen Werte, + und - zoomen, Strg und Pfeile verschieben, 0 alles, L logarithmisch.</translation>
    </message>
    <message>
        <source>Draw a line profile</source>
        <translation>Linienprofil zeichnen</translation>
    </message>
    <message>
        <source>Draw on the image…</source>
        <translation>Auf dem Bild zeichnen…</translation>
    </message>
    <message>
        <source>Draw the region</source>
        <translation>Bereich zeichnen</translation>
    </message>
    <message>
        <source>Draw the region that is kept.</source>
        <translation>Den Bereich zeichnen, der bleibt.</translation>
    </message>
    <message>
        <source>Draw the spectrum</source>
        <translation>Spektrum zeichnen</translation>
    </message>
    <message>
        <source>Draw the weights over the energies, or load them from a text file.</source>
        <translation>Die Gewichte über den Energien zeichnen oder aus einer Textdatei laden.</translation>
    </message>
    <message>
        <source>Drawings (*.svg)</source>
        <translation>Zeichnungen (*.svg)</translation>
    </message>
    <message>
        <source>Drawn</source>
        <translation>Gezeichnet</translation>
    </message>
    <message>
        <source>Drift along x</source>
        <translation>Drift entlang x</translation>
    </message>
    <message>
        <source>Drift along y</source>
        <translation>Drift entlang y</translation>
    </message>
    <message>
        <source>Drift along z</source>
        <translation>Drift entlang z</translation>
    </message>
    <message>
        <source>Drive %1</source>
        <translation>%1 treiben</translation>
    </message>
    <message>
        <source>Drive this by a link</source>
        <translation>Durch eine Verbindung treiben</translation>
    </message>
    <message>
        <source>Drop a scan, a volume or a pipeline anywhere on this window.</source>
        <translation>Scan, Volumen oder Pipeline irgendwo auf diesem Fenster ablegen.</translation>
    </message>
    <message>
        <source>Drop scans, folders of scans or a table here.
They run through the pipeline that is open, one after the other.</source>
        <translation>Hier Scans, Ordner mit Scans oder eine Tabelle ablegen.
Sie laufen nacheinander durch die offene Pipeline.</translation>
    </message>
    <message>
        <source>Dropped modes</source>
        <translation>Verworfene Moden</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1 duplizieren</translation>
    </message>
    <message>
        <source>Dynamic flat-field</source>
        <translation>Dynamische Hellbildkorrektur</translation>
    </message>
    <message>
        <source>Dynamic flat-field correction: fits the flat of each view from the principal components of the flats.</source>
        <translation>Dynamische Hellbildkorrektur: passt das Hellbild jeder Projektion aus den Hauptkomponenten der Hellbilder an.</translation>
    </message>
    <message>
        <source>EDF frames are views, not sinograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>EDF frames hold no datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ESRF BLISS</source>
        <translation>ESRF BLISS</translation>
    </message>
    <message>
        <source>ESRF EDF</source>
        <translation>ESRF EDF</translation>
    </message>
    <message>
        <source>Each keeps the same share of what the step before left.</source>
        <translation>Jeder behält denselben Anteil dessen, was der Schritt davor übrig ließ.</translation>
    </message>
    <message>
        <source>Each line holds an energy in keV and a weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each row by its own</source>
        <translation>Jede Zeile mit ihrem eigenen</translation>
    </message>
    <message>
        <source>Edge of a cubic voxel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of the cubic voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of the new voxels, along all three axes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of the parts of the image that are aligned one by one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of the patches that the network is trained on; 0: whole slices.</source>
        <translation>Kantenlänge der Ausschnitte, auf denen das Netz trainiert wird; 0: ganze Schichten.</translation>
    </message>
    <message>
        <source>Edge of the square detector pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of the square tiles: structures up to its size are raised, slower changes flattened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge of the window; an even number counts as the next odd one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge strength</source>
        <translation>Kantenstärke</translation>
    </message>
    <message>
        <source>Edge threshold</source>
        <translation>Kantenschwelle</translation>
    </message>
    <message>
        <source>Edge width</source>
        <translation>Kantenbreite</translation>
    </message>
    <message>
        <source>Edges along these directions are blurred; an iterative reconstruction (SIRT, FISTA-TV) shows fewer streaks.</source>
        <translation>Kanten entlang dieser Richtungen sind unscharf; eine iterative Rekonstruktion (SIRT, FISTA-TV) zeigt weniger Streifen.</translation>
    </message>
    <message>
        <source>Edit colours and opacity of the 3D view: double click adds or removes a point</source>
        <translation>Farben und Deckkraft der 3D-Ansicht ändern: Doppelklick fügt einen Punkt hinzu oder entfernt ihn</translation>
    </message>
    <message>
        <source>Effective energy %1 %2</source>
        <translation>Effektive Energie %1 %2</translation>
    </message>
    <message>
        <source>Effective energy of the filtered beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eigenvalues of the Hessian matrix of the smoothed volume: blobs, lines and sheets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eigenvalues of the structure tensor: how strong edges are, and in how many directions; texture.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Either</source>
        <translation>Eines von beiden</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Empty the cache</source>
        <translation>Zwischenspeicher leeren</translation>
    </message>
    <message>
        <source>End and close</source>
        <translation>Beenden und schließen</translation>
    </message>
    <message>
        <source>End and leave</source>
        <translation>Beenden und verlassen</translation>
    </message>
    <message>
        <source>End it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it in a file name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it with tomoloom live --recover, or remove it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End of the run</source>
        <translation>Ende des Laufs</translation>
    </message>
    <message>
        <source>End the name in .nii.gz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the name in one of %1or in nothing for a folder of slices, or name the format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the program that hangs; `fuser` names it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the record</source>
        <translation>Aufzeichnung beenden</translation>
    </message>
    <message>
        <source>Ends early after</source>
        <translation>Endet vorzeitig nach</translation>
    </message>
    <message>
        <source>Ends the scan that runs: it waits again, and nothing of it is kept</source>
        <translation>Beendet den laufenden Scan: er wartet wieder, und nichts davon bleibt</translation>
    </message>
    <message>
        <source>Ends with the best network so far</source>
        <translation>Endet mit dem bisher besten Netz</translation>
    </message>
    <message>
        <source>Ends with the best point so far</source>
        <translation>Endet mit dem bisher besten Punkt</translation>
    </message>
    <message>
        <source>Ends with the best values so far, their uncertainties and verdicts</source>
        <translation>Endet mit den bisher besten Werten, ihren Unsicherheiten und Urteilen</translation>
    </message>
    <message>
        <source>Ends without a network; what was learned is kept, so that it can be resumed</source>
        <translation>Endet ohne Netz; das Gelernte bleibt, so dass es fortgesetzt werden kann</translation>
    </message>
    <message>
        <source>Ends without a result (Ctrl+.)</source>
        <translation>Endet ohne Ergebnis (Strg+.)</translation>
    </message>
    <message>
        <source>Ends without a result; the points are kept, and the same sweep goes on there</source>
        <translation>Endet ohne Ergebnis; die Punkte bleiben, und dieselbe Wertereihe geht dort weiter</translation>
    </message>
    <message>
        <source>Energies</source>
        <translation>Energien</translation>
    </message>
    <message>
        <source>Energies of the model; three are enough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energies of the spectrum, in rising order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Energy bins</source>
        <translation>Energiestufen</translation>
    </message>
    <message>
        <source>Energy of the X-rays, for phase retrieval.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy outside the wedge, relative; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy step</source>
        <translation>Energieschritt</translation>
    </message>
    <message>
        <source>Entries of the history</source>
        <translation>Einträge des Verlaufs</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>Entropy in bits; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy of the grey values, or the share of negative values, which attenuation cannot have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epipolar consistency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Epoch %1 of %2, validation loss %3: %4 after %5.</source>
        <translation>Epoche %1 von %2, Validierungsverlust %3: %4 nach %5.</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Epochs without a lower validation loss; 0: never.</source>
        <translation>Epochen ohne kleineren Validierungsverlust; 0: nie.</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>Gleich</translation>
    </message>
    <message>
        <source>Equal steps in all data, or steps that grow with the frequency along the detector rows, as the ramp filter does: fewer iterations with the same result, where the smoothing is weak.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equal weight for</source>
        <translation>Gleiches Gewicht für</translation>
    </message>
    <message>
        <source>Equalises the grey values of each slice locally, with a limit to the contrast of noise.</source>
        <translation>Gleicht die Grauwerte jeder Schicht lokal aus, mit einer Grenze für den Kontrast des Rauschens.</translation>
    </message>
    <message>
        <source>Erase labels</source>
        <translation>Labels radieren</translation>
    </message>
    <message>
        <source>Eraser</source>
        <translation>Radierer</translation>
    </message>
    <message>
        <source>Erode</source>
        <translation>Erodieren</translation>
    </message>
    <message>
        <source>Erode removes voxels near the background, dilate adds voxels near the mask; open and close do both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Erodes, dilates, opens or closes labelled voxels by a ball or a box.</source>
        <translation>Erodiert, dilatiert, öffnet oder schließt Voxel mit Label mit einer Kugel oder einem Quader.</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Error of segmentation</source>
        <translation>Segmentierungsfehler</translation>
    </message>
    <message>
        <source>Error of the gantry angle of each view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error of this node</source>
        <translation>Fehler dieses Knotens</translation>
    </message>
    <message>
        <source>Estimate one background per detector row, or a less noisy one for the whole view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimate uncertainties</source>
        <translation>Unsicherheiten schätzen</translation>
    </message>
    <message>
        <source>Estimated from a coarser copy of the labels</source>
        <translation>Aus einer gröberen Kopie der Labels geschätzt</translation>
    </message>
    <message>
        <source>Estimating uncertainties…</source>
        <translation>Unsicherheiten werden geschätzt…</translation>
    </message>
    <message>
        <source>Euler angles are those of a detector that stands upright in the beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every</source>
        <translation>Jede</translation>
    </message>
    <message>
        <source>Every class equally</source>
        <translation>Jede Klasse gleich</translation>
    </message>
    <message>
        <source>Every n-th view</source>
        <translation>Jede n-te Projektion</translation>
    </message>
    <message>
        <source>Every view has the same number of frames: give one angle per view, and leave out movies that are incomplete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every voxel equally</source>
        <translation>Jedes Voxel gleich</translation>
    </message>
    <message>
        <source>Evidence curve</source>
        <translation>Beweiskurve</translation>
    </message>
    <message>
        <source>Evidence: candidates and their mismatch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (1 minus the correlation of opposite views).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (1 minus the correlation of opposite views; for a cone beam the difference of opposite rays).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (energy outside the wedge, relative).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (entropy or share of negative values, relative).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (mean spectral amplitude outside the wedge, relative).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (minus the mean correlation).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (rms residual in px with the axis fixed there).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence: candidates and their scores (squared difference of opposite rays, relative).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Exchange rows and columns, before mirroring: for a horizontal rotation axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exchange the two thresholds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exchange them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude views</source>
        <translation>Projektionen auslassen</translation>
    </message>
    <message>
        <source>Exclusive or: where only one is</source>
        <translation>Entweder-oder: wo nur eines ist</translation>
    </message>
    <message>
        <source>Expected near</source>
        <translation>Erwartet nahe</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Explain %1</source>
        <translation>%1 erklären</translation>
    </message>
    <message>
        <source>Explain %1: opens the guide</source>
        <translation>%1 erklären: öffnet das Handbuch</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export a network of one input, whose channels are the volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export a network whose input is [n, channels, y, x] or [n, channels, z, y, x]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export a report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Export all voxels</source>
        <translation>Alle Voxel exportieren</translation>
    </message>
    <message>
        <source>Export it again in another form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the network again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the network with a version of the operators (opset) from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the network with float32, float64 or float16, not quantised</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the pixels as PNG…</source>
        <translation>Pixel als PNG exportieren…</translation>
    </message>
    <message>
        <source>Export the view as PNG…</source>
        <translation>Ansicht als PNG exportieren…</translation>
    </message>
    <message>
        <source>Export the view as an image</source>
        <translation>Ansicht als Bild exportieren</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Exportieren nach</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>Wird exportiert…</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>Exporte</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>F1 of each class over the epochs</source>
        <translation>F1 jeder Klasse über den Epochen</translation>
    </message>
    <message>
        <source>FBP</source>
        <translation>FBP</translation>
    </message>
    <message>
        <source>FBP needs a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FDK</source>
        <translation>FDK</translation>
    </message>
    <message>
        <source>FDK (Feldkamp, Davis, Kress): filtered back-projection of a circular cone-beam scan.</source>
        <translation>FDK (Feldkamp, Davis, Kress): gefilterte Rückprojektion eines kreisförmigen Kegelstrahl-Scans.</translation>
    </message>
    <message>
        <source>FDK needs a cone beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FDK needs a cone beam and a circular orbit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FDK weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FISTA-TV</source>
        <translation>FISTA-TV</translation>
    </message>
    <message>
        <source>FISTA-TV: total-variation reconstruction by accelerated proximal gradient steps.</source>
        <translation>FISTA-TV: Totalvariations-Rekonstruktion durch beschleunigte proximale Gradientenschritte.</translation>
    </message>
    <message>
        <source>Faces (6)</source>
        <translation>Flächen (6)</translation>
    </message>
    <message>
        <source>Faces and edges (18)</source>
        <translation>Flächen und Kanten (18)</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Factor by which the image of each view is enlarged about the rotation axis; empty = as the scan has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of p.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of p^2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of p^3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of p^4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of r, 1/px.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of r^2, 1/px^2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of r^3, 1/px^3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of r^4, 1/px^4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the difference that is added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the input a.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the input b.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the input c.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Factor of the input d.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fade out</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Faded ends</source>
        <translation>Ausgeblendete Enden</translation>
    </message>
    <message>
        <source>Farago</source>
        <translation>Farago</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Fewer triangles where the surface is flat: 0.1 keeps a tenth of them, 1 all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewest negative values at %1 px. Check that edges are sharp there, then click the slice.</source>
        <translation>Wenigste negative Werte bei %1 px. Prüfen, ob die Kanten dort scharf sind, dann die Schicht anklicken.</translation>
    </message>
    <message>
        <source>Fields with commas or quotes stand in quotes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>Datei&amp;name:</translation>
    </message>
    <message>
        <source>File format; usually detected from the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File of angles</source>
        <translation>Datei der Winkel</translation>
    </message>
    <message>
        <source>File of the darks</source>
        <translation>Datei der Dunkelbilder</translation>
    </message>
    <message>
        <source>File of the flats</source>
        <translation>Datei der Hellbilder</translation>
    </message>
    <message>
        <source>File of the slices</source>
        <translation>Datei der Schichten</translation>
    </message>
    <message>
        <source>File of the weights</source>
        <translation>Datei der Gewichte</translation>
    </message>
    <message>
        <source>Files elsewhere</source>
        <translation>Dateien anderswo</translation>
    </message>
    <message>
        <source>Files from before the year 2000 have none: open and save them with IMOD or mrcfile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>Dateien vom Typ:</translation>
    </message>
    <message>
        <source>Files outside the scan's folder</source>
        <translation>Dateien außerhalb des Ordners des Scans</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>Dateien…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Fill a region</source>
        <translation>Bereich füllen</translation>
    </message>
    <message>
        <source>Fill holes</source>
        <translation>Löcher füllen</translation>
    </message>
    <message>
        <source>Fill in Angles as text or Step between views in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill in Frames in the file, in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill in Frames in the file, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill in Raw: size and Raw: numbers in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill or crop them before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill the connected region of one label on this slice</source>
        <translation>Den zusammenhängenden Bereich eines Labels auf dieser Schicht füllen</translation>
    </message>
    <message>
        <source>Fill with %1</source>
        <translation>Mit %1 füllen</translation>
    </message>
    <message>
        <source>Fills the cavities of labels: background that does not reach the border of the volume.</source>
        <translation>Füllt die Hohlräume von Labels: Hintergrund, der den Rand des Volumens nicht erreicht.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter density</source>
        <translation>Dichte des Filters</translation>
    </message>
    <message>
        <source>Filter of rows</source>
        <translation>Filter der Zeilen</translation>
    </message>
    <message>
        <source>Filter thickness</source>
        <translation>Dicke des Filters</translation>
    </message>
    <message>
        <source>Filter, for example: volume &gt; 10 and x &lt; 2</source>
        <translation>Filter, zum Beispiel: volume &gt; 10 and x &lt; 2</translation>
    </message>
    <message>
        <source>Filtered</source>
        <translation>Gefiltert</translation>
    </message>
    <message>
        <source>Filtered back-projection (FBP): fast reconstruction of a parallel-beam scan.</source>
        <translation>Gefilterte Rückprojektion (FBP): schnelle Rekonstruktion eines Parallelstrahl-Scans.</translation>
    </message>
    <message>
        <source>Filtering and sorting</source>
        <translation>Filtern und sortieren</translation>
    </message>
    <message>
        <source>Filtering: width of the Gaussian low-pass along the views, in cycles per scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find Directory</source>
        <translation>Ordner suchen</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Find an action…</source>
        <translation>Befehl suchen…</translation>
    </message>
    <message>
        <source>Find an action…   %1</source>
        <translation>Befehl suchen…   %1</translation>
    </message>
    <message>
        <source>Find files that were moved, by their content</source>
        <translation>Verschobene Dateien an ihrem Inhalt wiederfinden</translation>
    </message>
    <message>
        <source>Finds axis, tilt, yaw of the detector and distance of the source from a scan of a phantom of balls.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds by how much the sample or the detector moved in each view, and corrects the geometry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finds dead, hot and saturated detector pixels and fills them from their neighbours.</source>
        <translation>Findet tote, heiße und gesättigte Detektorpixel und füllt sie aus ihren Nachbarn.</translation>
    </message>
    <message>
        <source>Finds numbers of the nodes, such as the rotation axis</source>
        <translation>Findet Zahlen der Knoten, etwa die Drehachse</translation>
    </message>
    <message>
        <source>Finds the marked parameters (F6)</source>
        <translation>Findet die markierten Parameter (F6)</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) by phase correlation of views half a turn apart.</source>
        <translation>Findet die Drehachse (Rotationszentrum) durch Phasenkorrelation von Projektionen im Abstand einer halben Drehung.</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) by the method that suits the scan, and says which methods agree.</source>
        <translation>Findet die Drehachse (Rotationszentrum) mit dem Verfahren, das zum Scan passt, und sagt, welche Verfahren übereinstimmen.</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) from the centre of mass of every view, which moves on a sinusoid.</source>
        <translation>Findet die Drehachse (Rotationszentrum) aus dem Massenschwerpunkt jeder Projektion, der einer Sinuskurve folgt.</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) of a full-turn cone-beam scan from opposite (conjugate) rays.</source>
        <translation>Findet die Drehachse (Rotationszentrum) eines Kegelstrahl-Scans über eine volle Drehung aus gegenüberliegenden (konjugierten) Strahlen.</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) of a half turn by Vo's method: the Fourier metric of the sinogram.</source>
        <translation>Findet die Drehachse (Rotationszentrum) einer halben Drehung nach Vo: Fourier-Maß des Sinogramms.</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) of a half turn to a hundredth of a pixel by Fourier-wedge consistency.</source>
        <translation>Findet die Drehachse (Rotationszentrum) einer halben Drehung auf ein hundertstel Pixel aus der Fourier-Keilkonsistenz.</translation>
    </message>
    <message>
        <source>Finds the rotation axis (centre of rotation) whose slice has the least entropy or the fewest negative values.</source>
        <translation>Findet die Drehachse (Rotationszentrum), deren Schicht die kleinste Entropie oder die wenigsten negativen Werte hat.</translation>
    </message>
    <message>
        <source>Finds the rotation axis of a half-acquisition scan: a full turn with the axis near the edge of the detector.</source>
        <translation>Findet die Drehachse eines Scans mit halber Erfassung: eine volle Drehung mit der Achse nahe dem Detektorrand.</translation>
    </message>
    <message>
        <source>Finer about the best</source>
        <translation>Feiner um das beste</translation>
    </message>
    <message>
        <source>Finer columns</source>
        <translation>Feinere Spalten</translation>
    </message>
    <message>
        <source>Finer than</source>
        <translation>Feiner als</translation>
    </message>
    <message>
        <source>Finest detail that counts: the low-pass filter halves it. Raise it for noisy frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finest level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finest pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First</source>
        <translation>Erste</translation>
    </message>
    <message>
        <source>First %1</source>
        <translation>Erste %1</translation>
    </message>
    <message>
        <source>First and last are counted from 0 and are both kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First angle</source>
        <translation>Erster Winkel</translation>
    </message>
    <message>
        <source>First column</source>
        <translation>Erste Spalte</translation>
    </message>
    <message>
        <source>First detector column kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First detector row kept, counted from the top.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First parameter of the landscape</source>
        <translation>Erster Parameter der Landschaft</translation>
    </message>
    <message>
        <source>First row</source>
        <translation>Erste Zeile</translation>
    </message>
    <message>
        <source>First slice</source>
        <translation>Erste Schicht</translation>
    </message>
    <message>
        <source>First slice kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First view</source>
        <translation>Erste Projektion</translation>
    </message>
    <message>
        <source>First voxel kept along x.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First voxel kept along y, the direction up in a slice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First voxel of the region along x.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First voxel of the region along y.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First voxel of the region along z.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First x</source>
        <translation>Erstes x</translation>
    </message>
    <message>
        <source>First y</source>
        <translation>Erstes y</translation>
    </message>
    <message>
        <source>First z</source>
        <translation>Erstes z</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>Auswahl einpassen</translation>
    </message>
    <message>
        <source>Fit the image into the pane</source>
        <translation>Bild in das Feld einpassen</translation>
    </message>
    <message>
        <source>Fitting</source>
        <translation>Anpassen</translation>
    </message>
    <message>
        <source>Fitting: order of the polynomial along the views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fitting: width of the Gaussian over neighbouring columns; larger removes wider stripes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation>Fest</translation>
    </message>
    <message>
        <source>Flat and views must come from the same detector region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flat top</source>
        <translation>Flat-Top</translation>
    </message>
    <message>
        <source>Flat-field</source>
        <translation>Hellbildkorrektur</translation>
    </message>
    <message>
        <source>Flat-field correction: divides by the empty beam and takes the logarithm; counts become absorption.</source>
        <translation>Hellbildkorrektur: teilt durch den leeren Strahl und logarithmiert; Zählwerte werden Absorption.</translation>
    </message>
    <message>
        <source>Flats</source>
        <translation>Hellbilder</translation>
    </message>
    <message>
        <source>Flats and darks whose level is clearly not that of those taken with them (a closed shutter, a lost beam) are named and left out, or all are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flats in the file</source>
        <translation>Hellbilder in der Datei</translation>
    </message>
    <message>
        <source>Flats of the scan</source>
        <translation>Hellbilder des Scans</translation>
    </message>
    <message>
        <source>Flats over time</source>
        <translation>Hellbilder über der Zeit</translation>
    </message>
    <message>
        <source>Flats, darks and projections must come from the same detector region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flats, taken without the object: n × row × column, or their average.</source>
        <translation>Hellbilder, ohne Objekt aufgenommen: n × Zeile × Spalte, oder ihr Mittel.</translation>
    </message>
    <message>
        <source>Flicker</source>
        <translation>Wechselbild</translation>
    </message>
    <message>
        <source>Foam</source>
        <translation>Schaum</translation>
    </message>
    <message>
        <source>Folder in which scans appear</source>
        <translation>Ordner, in dem Scans erscheinen</translation>
    </message>
    <message>
        <source>Folder of TIFFs</source>
        <translation>Ordner mit TIFFs</translation>
    </message>
    <message>
        <source>Folder of scans</source>
        <translation>Ordner mit Scans</translation>
    </message>
    <message>
        <source>Folder of scans…</source>
        <translation>Ordner mit Scans…</translation>
    </message>
    <message>
        <source>Folder of the queue and its results</source>
        <translation>Ordner der Warteschlange und ihrer Ergebnisse</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Follow hints</source>
        <translation>Hinweisen folgen</translation>
    </message>
    <message>
        <source>Follow links</source>
        <translation>Verbindungen folgen</translation>
    </message>
    <message>
        <source>Follow marked parameters</source>
        <translation>Markierten Parametern folgen</translation>
    </message>
    <message>
        <source>Followed</source>
        <translation>Verfolgt</translation>
    </message>
    <message>
        <source>Following: %1</source>
        <translation>Verfolgen: %1</translation>
    </message>
    <message>
        <source>For a cone beam use the node axis.conjugate_rays, or give the axis in the geometry node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a full turn of a cone beam use objective.variance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For a parallel beam use the node axis.wedge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example --over fbp.cutoff=0.2:1:9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example -3:3:13 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example fbp.cutoff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example fbp.cutoff=0.2:1:9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example fbp.cutoff=0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: C5O2H8 1.18; Al</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For files without a header: columns x rows x frames, for example 2048x2048x1500, or columns x rows if a file holds as many frames as fit. A folder has files called .raw, .bin, .img or .dat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For networks that read several volumes: another one on the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For one energy, give that alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For other beams use the reprojection error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For programs that take several channels: another one on the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forecast of the whole queue</source>
        <translation>Vorhersage der ganzen Warteschlange</translation>
    </message>
    <message>
        <source>Forecast of the whole run</source>
        <translation>Vorhersage des ganzen Laufs</translation>
    </message>
    <message>
        <source>Forgets the network; the pipeline stays as it is</source>
        <translation>Vergisst das Netz; die Pipeline bleibt, wie sie ist</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Forward projection</source>
        <translation>Vorwärtsprojektion</translation>
    </message>
    <message>
        <source>Forward projection of a volume: absorption in the geometry of a given scan.</source>
        <translation>Vorwärtsprojektion eines Volumens: Absorption in der Geometrie eines gegebenen Scans.</translation>
    </message>
    <message>
        <source>Found %1</source>
        <translation>Gefunden: %1</translation>
    </message>
    <message>
        <source>Found values</source>
        <translation>Gefundene Werte</translation>
    </message>
    <message>
        <source>Fourier reconstruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fourier reconstruction needs a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fourier shell correlation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fourier shell correlation (FSC): to which resolution two volumes of the same object agree.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fourier shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fourier-wavelet stripe removal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fraction of the pixel values hit by a stray photon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame %1</source>
        <translation>%1 einrahmen</translation>
    </message>
    <message>
        <source>Frame %1 of %2</source>
        <translation>Bild %1 von %2</translation>
    </message>
    <message>
        <source>Frame with comment</source>
        <translation>Mit Kommentar einrahmen</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Frames after the flat-field node, in the order they were taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames are</source>
        <translation>Bilder sind</translation>
    </message>
    <message>
        <source>Frames are called, for example, scan_0000.edf; a file with all frames of a scan is opened itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames are read from %1, as in the last file of this layout. To choose other datasets, press "Datasets in the file…" in the form of Load scan.</source>
        <translation>Bilder werden aus %1 gelesen, wie in der letzten Datei dieser Anordnung. Andere Datensätze wählt „Datensätze in der Datei…“ im Formular von Scan laden.</translation>
    </message>
    <message>
        <source>Frames end in .raw, .bin, .img or .dat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames end in .tif or .tiff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames have one grey channel: convert colour images first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames have two dimensions: correct the header, or save the frames again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frames in the file</source>
        <translation>Bilder in der Datei</translation>
    </message>
    <message>
        <source>Frames of the slices</source>
        <translation>Rahmen der Schichten</translation>
    </message>
    <message>
        <source>Frames per view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frangi's vesselness and its kin: finds tubes, plates or blobs of a given size by second derivatives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Free its cached results</source>
        <translation>Zwischengespeicherte Ergebnisse freigeben</translation>
    </message>
    <message>
        <source>Free its cached results (%1)</source>
        <translation>Zwischengespeicherte Ergebnisse freigeben (%1)</translation>
    </message>
    <message>
        <source>Free some space</source>
        <translation>Platz schaffen</translation>
    </message>
    <message>
        <source>Free the cache of this node</source>
        <translation>Zwischenspeicher dieses Knotens freigeben</translation>
    </message>
    <message>
        <source>Frequencies above this fraction of the Nyquist frequency are removed; lower is smoother.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequencies of the views above this fraction of the Nyquist frequency are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency, correlation, half-bit threshold and number of cells of each shell.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fresnel's propagator</source>
        <translation>Fresnel-Propagator</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From %1, without what has no counterpart here:</source>
        <translation>Von %1, ohne das, was hier keine Entsprechung hat:</translation>
    </message>
    <message>
        <source>From ball</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From each point of the fixed volume to the same point in the moving one: x, y, z [mm].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the speed of the nodes in this session.</source>
        <translation>Aus der Geschwindigkeit der Knoten in dieser Sitzung.</translation>
    </message>
    <message>
        <source>From which strength of the second derivatives on something counts, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Further descents, from points drawn within reach.</source>
        <translation>Weitere Abstiege, von Punkten, die in Reichweite gezogen werden.</translation>
    </message>
    <message>
        <source>Further sinograms</source>
        <translation>Weitere Sinogramme</translation>
    </message>
    <message>
        <source>Further slices</source>
        <translation>Weitere Schichten</translation>
    </message>
    <message>
        <source>Gain reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gantry angle between successive views of the file, instead of the file's angles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gantry angle of the file's first view; needs the step between views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gantry angle of the first view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gantry angle of the first view; the others follow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gantry angles are taken as %1 gives them; whether stage or gantry turned that way cannot be known from the file: a mirrored volume asks for 'reverse rotation' in the load node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>Lücke</translation>
    </message>
    <message>
        <source>Gap between training and validation block, since neighbouring slices are nearly equal.</source>
        <translation>Lücke zwischen Trainings- und Validierungsblock, da benachbarte Schichten fast gleich sind.</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Gauß</translation>
    </message>
    <message>
        <source>Gaussian filter</source>
        <translation>Gauß-Filter</translation>
    </message>
    <message>
        <source>Gaussian filter of views</source>
        <translation>Gauß-Filter der Projektionen</translation>
    </message>
    <message>
        <source>Gaussian filter: smooths a volume.</source>
        <translation>Gauß-Filter: glättet ein Volumen.</translation>
    </message>
    <message>
        <source>Gaussian filter: smooths every view.</source>
        <translation>Gauß-Filter: glättet jede Projektion.</translation>
    </message>
    <message>
        <source>Gaussian noise</source>
        <translation>Gaußsches Rauschen</translation>
    </message>
    <message>
        <source>Generalised (2020)</source>
        <translation>Verallgemeinert (2020)</translation>
    </message>
    <message>
        <source>Geode: shell, grains, pores and cracks</source>
        <translation>Geode: Schale, Körner, Poren und Risse</translation>
    </message>
    <message>
        <source>Geodesic level set: the border of given labels grows, smoothly, until it meets the edges of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Geometry from balls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give %1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give --low and --high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give --low and --high, or write --type float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 0.05 for a twentieth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 1 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 1 to %1 features of at least one sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 1 to 10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 2 or 3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give 2 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a STAR file of particles with directions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a chemical formula (CaCO3) or a NIST name (Water, Liquid)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a dataset, a text file or a step between views, one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file in which some did not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file name such as volume.tif</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file of `tune replay`</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file of labels for several</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file or a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a file with measurements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a larger input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a larger share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a low bound below the high one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a number above 0</source>
        <translation>Eine Zahl über 0 angeben</translation>
    </message>
    <message>
        <source>Give a number from %1 to %2</source>
        <translation>Eine Zahl von %1 bis %2 angeben</translation>
    </message>
    <message>
        <source>Give a number from 0 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a number such as 0.001</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a pipeline file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a positive start, or the linear scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a reference that is multiplied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a result, or the NAME.json next to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a smaller --max-memory, or a smaller region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a smaller input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a smaller learning rate, and look at the grey values of this volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a smaller space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a space of times or energies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a space with some</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a start between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a text file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a tolerance, or more seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a value above the lower end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a volume and its labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give an input of another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give an input of another size, or convert the network to sk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give an odd number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give angles and approximate distances in the set-geometry node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give another volume, or split it by blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least one energy a weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give both tables the same number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give both, or neither for the range of the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give both, or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give budgets of the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give bytes from 0 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give columns that show the empty beam in all views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give columns x rows, or columns x rows x frames: 2048x2048x1500</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give delta/beta, and absorption as the result, or delta and beta, to learn the energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give each output a name of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give each volume and then its labels: VOLUME LABELS VOLUME LABELS ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give every material an attenuation at every energy of the spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give fewer scales</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give flats and darks by datasets of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it a name</source>
        <translation>Einen Namen geben</translation>
    </message>
    <message>
        <source>Give it a shorter one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it as many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it as many numbers as are to be learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it in %1</source>
        <translation>In %1 angeben</translation>
    </message>
    <message>
        <source>Give it in the scan or in the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it smaller slices or volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it: --raw-size 2048x2048x1500 --raw-type uint16</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give its declaration an example() that makes it work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give its formula, density and energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give its number and how many there are, for example 2/8; at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give labels of classes, not numbers of objects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give labels on the voxels of their volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give larger volumes, another direction or a network of a smaller reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give low &lt;= high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give low and high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give low and high, or write float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give more memory (%1), choose fewer classes, or crop or bin what the labels are made from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give numbers of classes, such as 1, 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one angle per view in degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one angle per view in degrees; comments begin with #</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one angle per view, without those of flats and darks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one entry per view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one for all volumes, or one for each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one for every label, such as: C5O2H8 1.18; Al</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one line per frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one line per image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one material for every label, such as: C5O2H8 1.18; Al</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one standard deviation or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one value per view, or one for all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one weight for every energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give samples of at least two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the %1 columns that `tune replay` writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the .txrm file from which it was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the angle, or remove this node while learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the angles as a text file or as first angle and step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the angles of the views, or leave this to 'Align frames'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the axis in the geometry node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the data that the network was trained with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the density in g/cm3, such as: C5O2H8 1.18</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the density, an element (Al), or a NIST name such as "Water, Liquid"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the distance, or choose a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the edge of patches, or a batch of 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the features that it was grown from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file a name.</source>
        <translation>Der Datei einen Namen geben.</translation>
    </message>
    <message>
        <source>Give the file name of the labels: --set NODE.file=VOLUME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file of the network alone: it has its weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file of the sinograms, for example with --input FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file of this stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file that is meant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file that the scanner wrote next to the frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the frames as the scanner wrote them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the frames as the scanner wrote them, or correct %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the frames per view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the keys, or the datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the movie's file name: --set NODE.file=MOVIE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the name of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the number of frames that were taken of each view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the output folder of submit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the reference of this camera and binning, rotated as the frames are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the scan's file name, for example with --input SCAN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the step between views in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the step between views too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the step between views: --set NODE.angle_step=0.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the table "parameters" of another registration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the values that become 0 and the largest integer, or write float32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the volume's file name: --set NODE.file=VOLUME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give them: --angles angles.tlt. To show a volume, open it as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give them: --angles angles.txt or --angles 0:0.5. To show a volume, open it as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give thickness as the result of phase retrieval, or of the forward projection of a soft mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32 or float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give validation volumes with labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give voxels from 0 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give voxels from 0 to %1 along x, %2 along y and %3 along z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give z0:z1,y0:y1,x0:x1, for example 10:20,:,100:200; the ends are not included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given axis</source>
        <translation>Gegebene Achse</translation>
    </message>
    <message>
        <source>Given tilt</source>
        <translation>Gegebene Neigung</translation>
    </message>
    <message>
        <source>Given value</source>
        <translation>Gegebener Wert</translation>
    </message>
    <message>
        <source>Gives</source>
        <translation>Liefert</translation>
    </message>
    <message>
        <source>Gives each view of a parallel beam the direction and shift that a STAR file states, as of particles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the soft mask of this class alone; the masks of all classes add up to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weitermachen</translation>
    </message>
    <message>
        <source>Go on in the background</source>
        <translation>Im Hintergrund weitermachen</translation>
    </message>
    <message>
        <source>Go on with the settings that it was begun with, or delete the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Gehe zu %1</translation>
    </message>
    <message>
        <source>Go to learning</source>
        <translation>Gehe zum Lernen</translation>
    </message>
    <message>
        <source>Go to the canvas</source>
        <translation>Gehe zur Zeichenfläche</translation>
    </message>
    <message>
        <source>Go to the classes</source>
        <translation>Gehe zu den Klassen</translation>
    </message>
    <message>
        <source>Go to the data</source>
        <translation>Gehe zu den Daten</translation>
    </message>
    <message>
        <source>Go to the histogram</source>
        <translation>Gehe zum Histogramm</translation>
    </message>
    <message>
        <source>Go to the inspector</source>
        <translation>Gehe zum Inspektor</translation>
    </message>
    <message>
        <source>Go to the list of nodes</source>
        <translation>Gehe zur Liste der Knoten</translation>
    </message>
    <message>
        <source>Go to the outline</source>
        <translation>Gehe zur Gliederung</translation>
    </message>
    <message>
        <source>Go to the table</source>
        <translation>Gehe zur Tabelle</translation>
    </message>
    <message>
        <source>Go to the views</source>
        <translation>Gehe zu den Ansichten</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>Gradient descent</source>
        <translation>Gradientenabstieg</translation>
    </message>
    <message>
        <source>Gradient energy</source>
        <translation>Gradientenenergie</translation>
    </message>
    <message>
        <source>Gradients above this many times the mean one are edges, and kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grains opaque in earth colours, the densest minerals orange</source>
        <translation>Körner deckend in Erdfarben, die dichtesten Minerale orange</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>Grey calibration</source>
        <translation>Graukalibrierung</translation>
    </message>
    <message>
        <source>Grey value of the first material in the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey value of the second material in the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey value of the voxels above the threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey value of the voxels below the threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey values at the same position.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grey, inverted</source>
        <translation>Grau, invertiert</translation>
    </message>
    <message>
        <source>Gridrec</source>
        <translation>Gridrec</translation>
    </message>
    <message>
        <source>Gridrec, direct Fourier reconstruction: the fastest for many slices of a parallel-beam scan.</source>
        <translation>Gridrec, direkte Fourier-Rekonstruktion: die schnellste für viele Schichten eines Parallelstrahl-Scans.</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Guided mode</source>
        <translation>Geführter Modus</translation>
    </message>
    <message>
        <source>HDF5 (NXtomoproc)</source>
        <translation>HDF5 (NXtomoproc)</translation>
    </message>
    <message>
        <source>HDF5 file with the sinograms, or a folder of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of one angle per view, in the unit of its attribute "units".</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of one number per frame: 0 projection, 1 flat, 2 dark, 3 invalid. Empty: all are projections.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of sinograms that come after the others, for example to be held out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the darks [n, row, column], or of their average [row, column], in the file of the darks or else in that of the scan. Empty: where the format keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the flats [n, row, column], or of their average [row, column], in the file of the flats or else in that of the scan. Empty: where the format keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the frames [frame, row, column], for example /scan/images: opens a file of any layout. A group chooses one of the scans in an NXtomo or BLISS file: /entry0001, /5.1. Empty: where the format keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the gantry angles, one per view or per frame, for example /entry/sample/gts_theta_value. Empty: where the format keeps them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the sinograms [sample, view, column]. Empty: the file is of a format that says where.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the slices [sample, y, x]. Empty: the file of the slices is a volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 path of the slices of the further sinograms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5 says: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HDF5, datasets named by hand</source>
        <translation>HDF5, Datensätze von Hand genannt</translation>
    </message>
    <message>
        <source>Half of the detector on which the axis lies: left is the side of column 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half width of the first parameter</source>
        <translation>Halbe Breite des ersten Parameters</translation>
    </message>
    <message>
        <source>Half width of the second parameter</source>
        <translation>Halbe Breite des zweiten Parameters</translation>
    </message>
    <message>
        <source>Hamming</source>
        <translation>Hamming</translation>
    </message>
    <message>
        <source>Hand on</source>
        <translation>Weitergeben</translation>
    </message>
    <message>
        <source>Hann</source>
        <translation>Hann</translation>
    </message>
    <message>
        <source>HeaderSize is %1, which is not a number of bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Height of the orbit's plane, pixels from the detector centre along +v; with a pitch only in part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heights</source>
        <translation>Höhen</translation>
    </message>
    <message>
        <source>Helgason-Ludwig consistency: scores axis and shifts of the views by their mass and centre of mass.</source>
        <translation>Helgason-Ludwig-Konsistenz: bewertet Achse und Verschiebungen der Projektionen nach Masse und Schwerpunkt.</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Hessian</source>
        <translation>Hessian</translation>
    </message>
    <message>
        <source>Hide Details...</source>
        <translation>Einzelheiten ausblenden</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>High regularisation</source>
        <translation>Obere Regularisierung</translation>
    </message>
    <message>
        <source>Highest energy of the photons: the voltage of the tube in kV.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Highest first</source>
        <translation>Höchste zuerst</translation>
    </message>
    <message>
        <source>Highest first, as in TIFF files</source>
        <translation>Höchste zuerst, wie in TIFF-Dateien</translation>
    </message>
    <message>
        <source>Hint of the canvas</source>
        <translation>Hinweis der Zeichenfläche</translation>
    </message>
    <message>
        <source>Hints about the scan</source>
        <translation>Hinweise zum Scan</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Histogram of the chosen column</source>
        <translation>Histogramm der gewählten Spalte</translation>
    </message>
    <message>
        <source>Histogram of the column</source>
        <translation>Histogramm der Spalte</translation>
    </message>
    <message>
        <source>Histogram with range</source>
        <translation>Histogramm mit Bereich</translation>
    </message>
    <message>
        <source>Histogram with window</source>
        <translation>Histogramm mit Fenster</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Hold out some of the rows, not all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hollow box</source>
        <translation>Hohler Quader</translation>
    </message>
    <message>
        <source>Hollow box, thin walls</source>
        <translation>Hohler Quader, dünne Wände</translation>
    </message>
    <message>
        <source>Hollow sphere</source>
        <translation>Hohlkugel</translation>
    </message>
    <message>
        <source>Hop</source>
        <translation>Sprung</translation>
    </message>
    <message>
        <source>Hot</source>
        <translation>Heiß</translation>
    </message>
    <message>
        <source>How far a stripe must rise above the noise; 3 suits most scans, 1000 finds none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far a stripe must rise above the noise; 3 suits most scans, less finds weaker stripes and removes more of the object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the body moves along the rotation axis from the first view to the last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the body moves along x from the first view to the last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the body moves along y from the first view to the last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far the probabilities of classes, for example of a network, are from labels.</source>
        <translation>Wie weit die Wahrscheinlichkeiten von Klassen, etwa eines Netzes, von Labels entfernt sind.</translation>
    </message>
    <message>
        <source>How far values may lie from the mean of the seeds, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How fast a ring may change with the angle, in cycles per turn; 0 = whole rings only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is learned</source>
        <translation>Wie gelernt wird</translation>
    </message>
    <message>
        <source>How labels on other voxels are laid over the truth: not at all, by their position in mm (the nearest voxel counts, and 0 outside), or voxel by voxel from the first one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many are placed, if there is room for them; more bubbles are smaller ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many pairs of voxels the probabilities of classes join into one object, or part, wrongly.</source>
        <translation>Wie viele Voxelpaare die Klassenwahrscheinlichkeiten fälschlich zu einem Objekt verbinden oder trennen.</translation>
    </message>
    <message>
        <source>How many principal components are fitted to each view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much a step smooths; above 1/16 the solution would be unstable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much the border is drawn to edges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much the border is smoothed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much the distance from its marker raises a voxel; 0 follows the heights alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much values outside must agree with their mean (lambda 2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often it smooths.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the border is moved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the flats of one time, and the darks, are averaged; the median ignores zingers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the threshold is found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the wave behind the object comes to the detector: see the node Propagate. It needs a material.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How values are stored; float32 keeps them as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hysteresis threshold</source>
        <translation>Hystereseschwelle</translation>
    </message>
    <message>
        <source>Hysteresis threshold: voxels above a low threshold that are connected to some above a high one.</source>
        <translation>Hystereseschwelle: Voxel über einer niedrigen Schwelle, die mit welchen über einer hohen verbunden sind.</translation>
    </message>
    <message>
        <source>IMOD's .xf with one line per frame, of another program or of an earlier run. Empty: they are searched for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ISP</source>
        <translation>ISP</translation>
    </message>
    <message>
        <source>ISP: number of grey levels among which thresholds are chosen. Memory for as many scans is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If nobody labelled its voxels, say so in their table of classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If nobody labelled its voxels: --unlabelled 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If that file belongs to the scan, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If they are radians, say so: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If those files belong to the scan, </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>Images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images of a parallel beam, such as a stack of particles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images of the empty beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Images on the cards</source>
        <translation>Bilder auf den Karten</translation>
    </message>
    <message>
        <source>Images without beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Imaginary part of the refractive index: the attenuation is 4 pi beta over the wavelength.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In each slice</source>
        <translation>In jeder Schicht</translation>
    </message>
    <message>
        <source>In the background %1 would begin again, and go on without the window. The desktop says when that has ended; the history has it then.</source>
        <translation>Im Hintergrund würde %1 neu beginnen und ohne das Fenster weiterlaufen. Der Desktop meldet das Ende; dann steht es im Verlauf.</translation>
    </message>
    <message>
        <source>In the background the training goes on from its last checkpoint, without the window. The desktop says when it has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the cache: %1</source>
        <translation>Im Zwischenspeicher: %1</translation>
    </message>
    <message>
        <source>In the middle slice %1.</source>
        <translation>In der mittleren Schicht %1.</translation>
    </message>
    <message>
        <source>In the same format, with the same region</source>
        <translation>Im selben Format, mit demselben Bereich</translation>
    </message>
    <message>
        <source>In the volume</source>
        <translation>Im Volumen</translation>
    </message>
    <message>
        <source>In three dimensions</source>
        <translation>In drei Dimensionen</translation>
    </message>
    <message>
        <source>Increase the spacing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index of the first view used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index of the last view used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index of the slice along z.</source>
        <translation>Index der Schicht entlang z.</translation>
    </message>
    <message>
        <source>Indices of views to leave out, for example those spoilt by a beam loss.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inferno</source>
        <translation>Inferno</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Inputs are never replaced%1: choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>Insert a node here</source>
        <translation>Hier einen Knoten einfügen</translation>
    </message>
    <message>
        <source>Inserts the node Set geometry and marks the parameter: one step that can be undone</source>
        <translation>Fügt den Knoten Geometrie setzen ein und markiert den Parameter: ein Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Install the module that belongs to this program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instead of delta/beta, as TomoPy asks for it: beta / (4 pi^2 delta).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integers from 0 to 255 or 65535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integers of 8 to 64 bits and floats of 16, 32 or 64 bits can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integers of 8 to 64 bits and floats of 32 and 64 bits can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integers or floats can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Intensities, in any unit, or line integrals.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interpolate %1</source>
        <translation>%1 interpolieren</translation>
    </message>
    <message>
        <source>Interpolate in time</source>
        <translation>Zeitlich interpolieren</translation>
    </message>
    <message>
        <source>Interpolate the label between painted slices</source>
        <translation>Das Label zwischen gemalten Schichten interpolieren</translation>
    </message>
    <message>
        <source>Into how many parts the volume is cut, each for a run of its own; 1 writes the whole volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Isodata</source>
        <translation>Isodata</translation>
    </message>
    <message>
        <source>It changed or is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It ends when a step moves the border by less than this on average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It gives</source>
        <translation>Es liefert</translation>
    </message>
    <message>
        <source>It has %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has %1 and %2: name another file, or the dataset in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has %1 views of %2 x %3 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has %1 x %2 x %3 voxels along z, y, x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is LowByteFirst or HighByteFirst: correct the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is bypassed: make it active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is damaged or incomplete: copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is given in pixels from the detector centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept as it is, and saved with the pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is left as it is: move it away, or name another output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not a scan of a Zeiss or Xradia microscope, or not complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not replaced: choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not saved: it was neither accepted nor rejected.</source>
        <translation>Es ist nicht gespeichert: weder angenommen noch abgelehnt.</translation>
    </message>
    <message>
        <source>It is not whole, or changed while it was read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is open in another window: %1.</source>
        <translation>Die Datei ist in einem anderen Fenster offen: %1.</translation>
    </message>
    <message>
        <source>It is truncated or damaged: copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It must be deg or rad. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It must fit into both scans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs "method"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a scan.</source>
        <translation>Es braucht einen Scan.</translation>
    </message>
    <message>
        <source>It needs a volume.</source>
        <translation>Es braucht ein Volumen.</translation>
    </message>
    <message>
        <source>It needs one value per frame, darks and flats included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It sees</source>
        <translation>Es sieht</translation>
    </message>
    <message>
        <source>It stopped %1, and could go on from there.</source>
        <translation>Es wurde %1 angehalten und könnte dort weitergehen.</translation>
    </message>
    <message>
        <source>It was cut short, or copied without the files that it links: copy the folder whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was moved or deleted, or its disk is not there</source>
        <translation>Sie wurde verschoben oder gelöscht, oder ihre Platte ist nicht da</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>Iterations of one descent.</source>
        <translation>Iterationen eines Abstiegs.</translation>
    </message>
    <message>
        <source>Iterations of smoothing; 0 leaves the surface between the voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iterative FDK</source>
        <translation>Iteratives FDK</translation>
    </message>
    <message>
        <source>Iterative FDK: adds the FDK (or FBP) reconstruction of the residual to the volume.</source>
        <translation>Iteratives FDK: addiert die FDK- (oder FBP-)Rekonstruktion des Residuums zum Volumen.</translation>
    </message>
    <message>
        <source>Its first line is, for example: scan,fbp.cutoff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its first line names the columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its images must lie along one axis: save one channel, or one time, per file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name ends with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its voxels are now %1 um wide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join them in Python: onnx.save(onnx.load("NAME.onnx"), "one.onnx"), and choose that file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join them: relion_stack_create makes one stack and its STAR file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Joined and broken objects (MALIS)</source>
        <translation>Verbundene und zerteilte Objekte (MALIS)</translation>
    </message>
    <message>
        <source>Joint descent</source>
        <translation>Gemeinsamer Abstieg</translation>
    </message>
    <message>
        <source>Kaiser-Bessel</source>
        <translation>Kaiser-Bessel</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep fewer triangles, or choose another format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep from this %1</source>
        <translation>Ab hier behalten: %1</translation>
    </message>
    <message>
        <source>Keep more of its filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep negative attenuation or set it to 0, which helps with few views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep rows and columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep showing this node</source>
        <translation>Diesen Knoten weiter zeigen</translation>
    </message>
    <message>
        <source>Keep the followed values</source>
        <translation>Die verfolgten Werte behalten</translation>
    </message>
    <message>
        <source>Keep the values</source>
        <translation>Die Werte behalten</translation>
    </message>
    <message>
        <source>Keep up to this %1</source>
        <translation>Bis hier behalten: %1</translation>
    </message>
    <message>
        <source>Keeps %1.</source>
        <translation>Behält %1.</translation>
    </message>
    <message>
        <source>Keeps the present slice next to the windows that follow (Ctrl+Shift+P).</source>
        <translation>Behält die jetzige Schicht neben den folgenden Fenstern (Strg+Umschalt+P).</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Keys are 0 projection, 1 flat, 2 dark, 3 invalid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys within views and on the canvas are in the guide.

</source>
        <translation>Tasten innerhalb der Ansichten und auf der Zeichenfläche stehen im Handbuch.

</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Kinds of the frames</source>
        <translation>Arten der Bilder</translation>
    </message>
    <message>
        <source>Known 1</source>
        <translation>Bekannt 1</translation>
    </message>
    <message>
        <source>Known 2</source>
        <translation>Bekannt 2</translation>
    </message>
    <message>
        <source>Known are ReconstructVolume and ReconstructSlice of ewokstomo, NabuSlicesTask and NabuVolumeTask of tomwer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known distance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known value of the first material.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known value of the second material.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known: up to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L-BFGS</source>
        <translation>L-BFGS</translation>
    </message>
    <message>
        <source>LEAN</source>
        <translation>LEAN</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>Label a part of the object by any number but 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label at least one object with another class than the first, which lies between objects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label more of it, give another volume, or a smaller gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label some voxels of each class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label the objects only, for example by a threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label the objects only, for example by a threshold, or choose a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label the part of the volume whose rays are to be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label the volume slab by slab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label voxels of at least two classes, the background being one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label what is to be compared by any number but 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled phantom</source>
        <translation>Phantom mit Labels</translation>
    </message>
    <message>
        <source>Labelled voxels, at least two numbers; 0 is to be decided.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled voxels; 0 is to be decided.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Labels are 0 and above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels are 0 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels are 0 to %1: number them again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels are being painted between slices.</source>
        <translation>Labels werden zwischen Schichten gemalt.</translation>
    </message>
    <message>
        <source>Labels are integers from 0 to %1: load measured values as a volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels are interpolated between slices of an XY, XZ or YZ pane: choose one of these.</source>
        <translation>Labels werden zwischen den Schichten eines XY-, XZ- oder YZ-Feldes interpoliert: eines davon wählen.</translation>
    </message>
    <message>
        <source>Labels at the same position.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels painted by hand on any slice of a volume: brush, ball, lasso, fill.</source>
        <translation>Von Hand gemalte Labels auf beliebigen Schichten eines Volumens: Pinsel, Kugel, Lasso, Füllen.</translation>
    </message>
    <message>
        <source>Labels, in which all numbers but 0 are the object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels, in which one number is the pores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels, in which one number, or all but 0, are the class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels: 0 is the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels: classes or objects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels: filled, or their outlines</source>
        <translation>Labels: gefüllt oder als Umrisse</translation>
    </message>
    <message>
        <source>Labels: less opaque</source>
        <translation>Labels: weniger deckend</translation>
    </message>
    <message>
        <source>Labels: more opaque</source>
        <translation>Labels: deckender</translation>
    </message>
    <message>
        <source>Labels; all numbers but 0 are one mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labels; the result lies on their voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Laminography angle</source>
        <translation>Laminographiewinkel</translation>
    </message>
    <message>
        <source>Laminography, parallel beam: angle by which the rotation axis leans along the beam. Positive: its top leans away from the source, towards the detector. The larger, the more directions are missing, which lowers the values of a reconstruction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lanczos</source>
        <translation>Lanczos</translation>
    </message>
    <message>
        <source>Landscape</source>
        <translation>Landschaft</translation>
    </message>
    <message>
        <source>Landscape around the found value</source>
        <translation>Landschaft um den gefundenen Wert</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Laplacian</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>Large stripes</source>
        <translation>Große Streifen</translation>
    </message>
    <message>
        <source>Large stripes, all columns: those without a stripe keep their level, or take that of their neighbours (as in the paper).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Large width</source>
        <translation>Große Breite</translation>
    </message>
    <message>
        <source>Larger cavities are left open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger deviations, in the unit of the volume, belong to the object and are clipped to this limit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger lets objects of fewer dimensions, such as blobs among tubes, pass more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger suppresses objects of more dimensions, such as plates among tubes, more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of inner iterations of the denoising. They start from the result of the last ones and stop early where they hardly change it. The result after many iterations does not depend on this number; below about 5, strong smoothing needs more outer iterations.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of pairs of opposite views; those nearest to half a turn apart are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of pairs, evenly spread over the scan.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of rounds of segmentation, fit and reconstruction; fewer where the fit settles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of steps at a level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest number of steps.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest share of a tile's voxels in one bin; contrast grows at most by this times the number of bins. 1 sets no limit; up to 1 / bins nothing changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest thickness.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest value; not differentiable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lasso</source>
        <translation>Lasso</translation>
    </message>
    <message>
        <source>Lasso: paint what it encloses</source>
        <translation>Lasso: malt, was es umschließt</translation>
    </message>
    <message>
        <source>Last %1</source>
        <translation>Letzte %1</translation>
    </message>
    <message>
        <source>Last column</source>
        <translation>Letzte Spalte</translation>
    </message>
    <message>
        <source>Last detector column kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last detector row kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last row</source>
        <translation>Letzte Zeile</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>Letzter Lauf</translation>
    </message>
    <message>
        <source>Last slice</source>
        <translation>Letzte Schicht</translation>
    </message>
    <message>
        <source>Last slice kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last view</source>
        <translation>Letzte Projektion</translation>
    </message>
    <message>
        <source>Last voxel kept along x.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last voxel kept along y.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last voxel of the region along x, included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last voxel of the region along y, included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last voxel of the region along z, included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last x</source>
        <translation>Letztes x</translation>
    </message>
    <message>
        <source>Last y</source>
        <translation>Letztes y</translation>
    </message>
    <message>
        <source>Last z</source>
        <translation>Letztes z</translation>
    </message>
    <message>
        <source>Layers and weights, to be saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Learn %1</source>
        <translation>%1 lernen</translation>
    </message>
    <message>
        <source>Learn adds the suggested objective.</source>
        <translation>Lernen fügt die vorgeschlagene Zielfunktion hinzu.</translation>
    </message>
    <message>
        <source>Learn again</source>
        <translation>Erneut lernen</translation>
    </message>
    <message>
        <source>Learn by gradients that go backwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from all of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from all rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from all rows, or take a volume with a slice for every row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from all rows; parts of the views go with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from all views and rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from whole slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn it after this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn it again, or set it to auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn it in one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn them again, or set them to auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn this value</source>
        <translation>Diesen Wert lernen</translation>
    </message>
    <message>
        <source>Learn together with it:</source>
        <translation>Zusammen damit lernen:</translation>
    </message>
    <message>
        <source>Learn with 'Spectral projection' or 'Beam hardening' instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn with FBP, FDK or total variation instead, or learn no parameter before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn with adam or sgd, or hold out none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned %1</source>
        <translation>%1 gelernt</translation>
    </message>
    <message>
        <source>Learned change</source>
        <translation>Gelernte Änderung</translation>
    </message>
    <message>
        <source>Learned values</source>
        <translation>Gelernte Werte</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Learning is running already.</source>
        <translation>Es wird bereits gelernt.</translation>
    </message>
    <message>
        <source>Learning of %1</source>
        <translation>Lernen von %1</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Learning runs</source>
        <translation>Lernläufe</translation>
    </message>
    <message>
        <source>Learns from</source>
        <translation>Lernt aus</translation>
    </message>
    <message>
        <source>Learns the parameters that are marked with ∇, again and again as windows come, each time from the last value, for at most a fifth of the time.</source>
        <translation>Lernt die mit ∇ markierten Parameter immer wieder, sobald Fenster kommen, jedes Mal vom letzten Wert aus, höchstens ein Fünftel der Zeit.</translation>
    </message>
    <message>
        <source>Least overlap</source>
        <translation>Kleinste Überlappung</translation>
    </message>
    <message>
        <source>Least voxels</source>
        <translation>Mindestens Voxel</translation>
    </message>
    <message>
        <source>Leave angles, beam and distances to it; or read the frames as the format tiff_stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave guided mode</source>
        <translation>Geführten Modus verlassen</translation>
    </message>
    <message>
        <source>Leave hidden .part files alone while a run writes them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave hidden .part folders alone while a run writes them, and run it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it out, or look at the labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it out, or repair it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave low and high out, or write uint16 or uint8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave one of them out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave one of them: a stream is one scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave one out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Leave out another number, or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out its files: flats, darks and angles come with the stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out values, or fix parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the order as the file says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the order of the frames to the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the order to the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the parameter as it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>Rundgang verlassen</translation>
    </message>
    <message>
        <source>Leave the unit of the angles to the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave them out, or look at the flat field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves the pipeline as it is; the files stay</source>
        <translation>Lässt die Pipeline, wie sie ist; die Dateien bleiben</translation>
    </message>
    <message>
        <source>Leaves the pipeline as it is; the run stays in the history</source>
        <translation>Lässt die Pipeline, wie sie ist; der Lauf bleibt im Verlauf</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Left columns</source>
        <translation>Linke Spalten</translation>
    </message>
    <message>
        <source>Left dock</source>
        <translation>Linke Leiste</translation>
    </message>
    <message>
        <source>Left out of the truth</source>
        <translation>Von der Wahrheit ausgelassen</translation>
    </message>
    <message>
        <source>Left out, the dark signal is 0: for darks that were taken with an open shutter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Length of a step; below 1 is slower and smoother, above 1 faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of the shift; of a deformation the largest displacement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lens distortion</source>
        <translation>Linsenverzeichnung</translation>
    </message>
    <message>
        <source>Let it end first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the name end in .stl, .ply or .obj</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let the node axis.automatic find the axis: it compares opposite views where both see the object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let this network, which is a program, run on this machine.</source>
        <translation>Dieses Netz, das ein Programm ist, auf diesem Rechner laufen lassen.</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Pegel</translation>
    </message>
    <message>
        <source>Level set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Li</source>
        <translation>Li</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Likeness, from 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Line profile</source>
        <translation>Linienprofil</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>Linien</translation>
    </message>
    <message>
        <source>Link %1 to %2</source>
        <translation>%1 mit %2 verbinden</translation>
    </message>
    <message>
        <source>Link a %1 output to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link a scalar output to a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link a scan to this node first.</source>
        <translation>Zuerst einen Scan mit diesem Knoten verbinden.</translation>
    </message>
    <message>
        <source>Link a volume and its labels ('Load labels', input.load_labels) to 'Examples' (input.examples) and give their files with --set NODE.file=FILE, or train on files: tomoloom train VOLUME LABELS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link as many volumes as the network was trained with, or choose another network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link from %1 to %2: %3</source>
        <translation>Verbindung von %1 nach %2: %3</translation>
    </message>
    <message>
        <source>Link labels on the voxels of the volume, or crop and bin both in the same way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link labels with some labelled voxels of each class, or choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link them, or make the nodes between them active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links cannot form a cycle: iterations are done inside a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List View</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>List the parameters to learn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists scans and volumes; they may also be dropped here</source>
        <translation>Führt Scans und Volumen auf; sie lassen sich auch hier ablegen</translation>
    </message>
    <message>
        <source>Little-endian</source>
        <translation>Little-Endian</translation>
    </message>
    <message>
        <source>Live scan</source>
        <translation>Laufende Aufnahme</translation>
    </message>
    <message>
        <source>Live: from the strokes, whenever they change</source>
        <translation>Live: aus den Strichen, sobald sie sich ändern</translation>
    </message>
    <message>
        <source>Load a scan with flats, or set the reference to 'none' if the views are normalised already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load a spectrum</source>
        <translation>Spektrum laden</translation>
    </message>
    <message>
        <source>Load it as a volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load labels</source>
        <translation>Labels laden</translation>
    </message>
    <message>
        <source>Load movie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load one number per view</source>
        <translation>Eine Zahl je Projektion laden</translation>
    </message>
    <message>
        <source>Load or reconstruct more slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load pairs</source>
        <translation>Paare laden</translation>
    </message>
    <message>
        <source>Load scan</source>
        <translation>Scan laden</translation>
    </message>
    <message>
        <source>Load table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load text file…</source>
        <translation>Textdatei laden…</translation>
    </message>
    <message>
        <source>Load volume</source>
        <translation>Volumen laden</translation>
    </message>
    <message>
        <source>Local contrast (CLAHE)</source>
        <translation>Lokaler Kontrast (CLAHE)</translation>
    </message>
    <message>
        <source>Local shifts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Local thickness</source>
        <translation>Lokale Dicke</translation>
    </message>
    <message>
        <source>Local thickness: the diameter of the largest ball within a class that holds each of its voxels.</source>
        <translation>Lokale Dicke: der Durchmesser der größten Kugel innerhalb einer Klasse, die das jeweilige Voxel enthält.</translation>
    </message>
    <message>
        <source>Locate %1</source>
        <translation>%1 suchen</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Lock %1: painting leaves its voxels as they are</source>
        <translation>%1 sperren: das Malen lässt die Voxel unverändert</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log and trigger</source>
        <translation>Protokoll und Auslöser</translation>
    </message>
    <message>
        <source>Log odds</source>
        <translation>Logit</translation>
    </message>
    <message>
        <source>Log of %1</source>
        <translation>Protokoll von %1</translation>
    </message>
    <message>
        <source>Log of the job…</source>
        <translation>Protokoll des Auftrags…</translation>
    </message>
    <message>
        <source>Logarithmic x axis	Shift+L</source>
        <translation>Logarithmische x-Achse	Umschalt+L</translation>
    </message>
    <message>
        <source>Logarithmic y axis	L</source>
        <translation>Logarithmische y-Achse	L</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Look at a slice along the axes, or switch ring removal off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the %1 side (keys X, Y, Z; with Shift the opposite side)</source>
        <translation>Auf die Seite %1 blicken (Tasten X, Y, Z; mit Umschalt die Gegenseite)</translation>
    </message>
    <message>
        <source>Look at the angles, distances and shifts of the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the landscape of the objective</source>
        <translation>Die Landschaft der Zielfunktion ansehen</translation>
    </message>
    <message>
        <source>Look at what comes before this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for other optima first</source>
        <translation>Zuerst nach anderen Optima suchen</translation>
    </message>
    <message>
        <source>Look for values that are not numbers in the data, or narrow the bounds of the parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look in:</source>
        <translation>Suchen in:</translation>
    </message>
    <message>
        <source>Looked for ENTRY/reconstruction/results/data, and for entries of the definition NXtomoproc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the scan before the objective is chosen…</source>
        <translation>Der Scan wird angesehen, bevor die Zielfunktion gewählt wird…</translation>
    </message>
    <message>
        <source>Looking at the scan…</source>
        <translation>Der Scan wird angesehen…</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Loss over the iterations</source>
        <translation>Verlust über den Iterationen</translation>
    </message>
    <message>
        <source>Losses over the epochs</source>
        <translation>Verluste über den Epochen</translation>
    </message>
    <message>
        <source>Lossless, by the deflate of the format; makes files of labels much smaller.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lossless, by the deflate of the format; slower to write, and to read in parts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost: %1</source>
        <translation>Verloren: %1</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Niedrig</translation>
    </message>
    <message>
        <source>Low pass</source>
        <translation>Tiefpass</translation>
    </message>
    <message>
        <source>Low regularisation</source>
        <translation>Untere Regularisierung</translation>
    </message>
    <message>
        <source>Low-pass</source>
        <translation>Tiefpass</translation>
    </message>
    <message>
        <source>Lower end</source>
        <translation>Unteres Ende</translation>
    </message>
    <message>
        <source>Lower end of the histogram; darker values count there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower end of the range of grey values, in the unit of the volume; smaller values count as this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower end of the table; the percentiles are of all values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower limit of the window</source>
        <translation>Untere Grenze des Fensters</translation>
    </message>
    <message>
        <source>Lower percentile</source>
        <translation>Unteres Perzentil</translation>
    </message>
    <message>
        <source>Lower percentile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the lowest energy or the energy step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower the threshold, or scan a phantom with more balls that stay in the field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lower value</source>
        <translation>Unterer Wert</translation>
    </message>
    <message>
        <source>Lowest energy</source>
        <translation>Kleinste Energie</translation>
    </message>
    <message>
        <source>Lowest first</source>
        <translation>Niedrigste zuerst</translation>
    </message>
    <message>
        <source>Lowest first, as trained here</source>
        <translation>Niedrigste zuerst, wie hier trainiert</translation>
    </message>
    <message>
        <source>ML-EM</source>
        <translation>ML-EM</translation>
    </message>
    <message>
        <source>ML-EM, maximum-likelihood expectation maximisation: iterative reconstruction that keeps values non-negative.</source>
        <translation>ML-EM, Maximum-Likelihood-Erwartungsmaximierung: iterative Rekonstruktion mit nichtnegativen Werten.</translation>
    </message>
    <message>
        <source>MRC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MRC files hold no datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MRC holds no %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MRC stack</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MRC, mode 101</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Macro F1</source>
        <translation>Makro-F1</translation>
    </message>
    <message>
        <source>Magma</source>
        <translation>Magma</translation>
    </message>
    <message>
        <source>Magnification</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Magnifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a pipeline file for this scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it so with chmod 700, or move it away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it, or choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the mask larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the network with classes=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the network with inputs=%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the node active</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make them: tomoloom run PIPELINE --slab 1/4, 2/4, ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes a volume and its labels an example from which networks are trained.</source>
        <translation>Macht ein Volumen und seine Labels zu einem Beispiel, an dem Netze trainiert werden.</translation>
    </message>
    <message>
        <source>Makes a volume with noise together with its true labels, for trying and training segmentation.</source>
        <translation>Erzeugt ein Volumen mit Rauschen und seine wahren Labels, um Segmentierung zu erproben und zu trainieren.</translation>
    </message>
    <message>
        <source>Many scans in a queue, and below it the history: every result can be opened, compared and exported.</source>
        <translation>Viele Scans in einer Warteschlange, darunter der Verlauf: jedes Ergebnis lässt sich öffnen, vergleichen und exportieren.</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Map of %1 by %2 points</source>
        <translation>Karte aus %1 mal %2 Punkten</translation>
    </message>
    <message>
        <source>Maps at a time</source>
        <translation>Karten gleichzeitig</translation>
    </message>
    <message>
        <source>Maps on one grid, such as the probabilities of a classifier or the components of a displacement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark a parameter with the nabla</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mark parameters with the nabla of their field, and choose an objective in Learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markers closer together than this, in voxels along x, are merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marks it to be learned</source>
        <translation>Markiert ihn zum Lernen</translation>
    </message>
    <message>
        <source>Mask of 0 and 1 on the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask or fill them first, or look at what comes before this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask or replace them, for example by a circular mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mass tolerance</source>
        <translation>Massentoleranz</translation>
    </message>
    <message>
        <source>Material</source>
        <translation>Material</translation>
    </message>
    <message>
        <source>Material between source and sample: an element (Al), a formula, or a NIST name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Material between tube and sample: an element (Al), a formula, or a NIST name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Material that makes light of the energy of absorbed photons.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Materials</source>
        <translation>Materialien</translation>
    </message>
    <message>
        <source>Materials, air included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximise this pane, or restore the views</source>
        <translation>Dieses Feld vergrößern, oder alle Ansichten zeigen</translation>
    </message>
    <message>
        <source>Maximum number at each pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean F1 of the classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean counts of the empty beam above the dark level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean counts without beam, in every image.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean length of the differences to the next voxels; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean overlap of the classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean square of the difference over that of its noise, minus 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean square of the difference; or this divided by the mean square of the reference data; or, scaled, after both got the same mean and the same spread, so that only the pattern counts: 2 (1 - correlation).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean square of the differences; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean square of the modelled minus the measured views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error of the views; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean squared error; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean thickness.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Measure a distance</source>
        <translation>Abstand messen</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure an angle</source>
        <translation>Winkel messen</translation>
    </message>
    <message>
        <source>Measure at %1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure two materials</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure with core_freq or nvml_gr_clock, and nvml_power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured 1</source>
        <translation>Gemessen 1</translation>
    </message>
    <message>
        <source>Measured 2</source>
        <translation>Gemessen 2</translation>
    </message>
    <message>
        <source>Measured views, with the same angles and pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Median filter</source>
        <translation>Medianfilter</translation>
    </message>
    <message>
        <source>Median filter of every view: replaces each pixel by the median of the square around it.</source>
        <translation>Medianfilter jeder Projektion: ersetzt jedes Pixel durch den Median des Quadrats darum.</translation>
    </message>
    <message>
        <source>Median filter of views</source>
        <translation>Medianfilter der Projektionen</translation>
    </message>
    <message>
        <source>Median filter: replaces every voxel by the median of the box around it.</source>
        <translation>Medianfilter: ersetzt jedes Voxel durch den Median des Quaders darum.</translation>
    </message>
    <message>
        <source>Median: half of the voxels are below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory for cached results: a part of the memory above, at most half of it.</source>
        <translation>Speicher für Zwischenergebnisse: ein Teil des Arbeitsspeichers oben, höchstens die Hälfte.</translation>
    </message>
    <message>
        <source>Memory of a whole run</source>
        <translation>Arbeitsspeicher eines ganzen Laufs</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Menu of the pane: %1</source>
        <translation>Menü des Feldes: %1</translation>
    </message>
    <message>
        <source>Menu of the plot</source>
        <translation>Menü des Diagramms</translation>
    </message>
    <message>
        <source>Menu: all commands</source>
        <translation>Menü: alle Befehle</translation>
    </message>
    <message>
        <source>Mesh, STL</source>
        <translation>Oberfläche, STL</translation>
    </message>
    <message>
        <source>Meshes</source>
        <translation>Oberflächen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>MetaImage</source>
        <translation>MetaImage</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Middle</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>Middle of each bin and the number of voxels in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle of each bin, the number of voxels in it, and their share of the class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle of the search range, in pixels from the detector centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle of the search range.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle of the second parameter</source>
        <translation>Mitte des zweiten Parameters</translation>
    </message>
    <message>
        <source>Middle of the sweep</source>
        <translation>Mitte der Wertereihe</translation>
    </message>
    <message>
        <source>Middle one of the detector rows that are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle one of the slices that are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle slice of the result</source>
        <translation>Mittlere Schicht des Ergebnisses</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>Übersichtskarte</translation>
    </message>
    <message>
        <source>Minus the mean square difference of neighbours; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minus the sharpness; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minus the variance of the mean over the views; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minus: first where second is not</source>
        <translation>Minus: Erstes, wo Zweites nicht ist</translation>
    </message>
    <message>
        <source>Mirror</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Mirror gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror the views left to right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mirror the views top to bottom.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>Missing angles: no view between %1 and %2 degrees, %3 % of half a turn</source>
        <translation>Fehlende Winkel: keine Projektion zwischen %1 und %2 Grad, %3 % einer halben Drehung</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Modes 0, 1, 2, 6, 12 and 101 can be read: save as one of these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More are steadier and take longer. Of whole slices there are several only where all are squares of one size.</source>
        <translation>Mehr sind ruhiger und dauern länger. Von ganzen Schichten sind es nur dann mehrere, wenn alle gleich große Quadrate sind.</translation>
    </message>
    <message>
        <source>More of the 3D view</source>
        <translation>Mehr zur 3D-Ansicht</translation>
    </message>
    <message>
        <source>More than twice the width of the widest stripe, in columns; made odd.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Morphological Chan-Vese: two regions of different mean value, with a smooth border, without edges.</source>
        <translation>Morphologisches Chan-Vese: zwei Bereiche verschiedenen Mittelwerts mit glatter Grenze, ohne Kanten.</translation>
    </message>
    <message>
        <source>Morphological geodesic active contour: a smooth border that is drawn to the edges of a volume.</source>
        <translation>Morphologische geodätische aktive Kontur: eine glatte Grenze, die zu den Kanten eines Volumens gezogen wird.</translation>
    </message>
    <message>
        <source>Morphology</source>
        <translation>Morphologie</translation>
    </message>
    <message>
        <source>Most voxels</source>
        <translation>Höchstens Voxel</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>Move a measurement</source>
        <translation>Messung verschieben</translation>
    </message>
    <message>
        <source>Move a threshold</source>
        <translation>Schwelle verschieben</translation>
    </message>
    <message>
        <source>Move down	Alt+Down</source>
        <translation>Nach unten	Alt+Down</translation>
    </message>
    <message>
        <source>Move frame</source>
        <translation>Rahmen verschieben</translation>
    </message>
    <message>
        <source>Move it out of the folder of the frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move one of them away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the data to the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the file away: a new history begins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the source away or use fewer columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up	Alt+Up</source>
        <translation>Nach oben	Alt+Up</translation>
    </message>
    <message>
        <source>Movie of the 3D view</source>
        <translation>Film der 3D-Ansicht</translation>
    </message>
    <message>
        <source>Movie, numbered frames</source>
        <translation>Film, nummerierte Bilder</translation>
    </message>
    <message>
        <source>Movie…</source>
        <translation>Film…</translation>
    </message>
    <message>
        <source>Mute %1</source>
        <translation>%1 abschalten</translation>
    </message>
    <message>
        <source>Mute branch</source>
        <translation>Zweig abschalten</translation>
    </message>
    <message>
        <source>Mute it to leave it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mute it to leave its branch out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mutual information</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NAME.hdr and NAME.img belong together: put them in one folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NIfTI</source>
        <translation>NIfTI</translation>
    </message>
    <message>
        <source>NLopt has no memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NRRD</source>
        <translation>NRRD</translation>
    </message>
    <message>
        <source>NXtomo</source>
        <translation>NXtomo</translation>
    </message>
    <message>
        <source>NXtomo (*.nx *.nxs *.h5)</source>
        <translation>NXtomo (*.nx *.nxs *.h5)</translation>
    </message>
    <message>
        <source>NXtomo, Data Exchange, EDF, Nikon, SkyScan, TIFF, Zeiss</source>
        <translation>NXtomo, Data Exchange, EDF, Nikon, SkyScan, TIFF, Zeiss</translation>
    </message>
    <message>
        <source>NaN %1</source>
        <translation>NaN %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name a class</source>
        <translation>Klasse benennen</translation>
    </message>
    <message>
        <source>Name a file that ends in .html or .pdf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a parameter and its values, such as fbp.cutoff=0.2:1:9</source>
        <translation>Einen Parameter und seine Werte nennen, etwa fbp.cutoff=0.2:1:9</translation>
    </message>
    <message>
        <source>Name a parameter, for example axis.axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a scalar output with --score</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name another output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name both datasets, or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name datasets or folders with one slice for every sinogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name it in the table of classes, or change its voxels to a class that is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name it once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name it: --data /PATH/IN/FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the JSON or CSV file; relative names go into the output folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the NXtomo file; relative names go into the output folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the PNG file; relative names go into the output folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the file, or of the folder of slices; relative names go into the output folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the file, or of the folder; relative names go into the output folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the file; relative names go into the output folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the pruned network</source>
        <translation>Name des beschnittenen Netzes</translation>
    </message>
    <message>
        <source>Name of the pruned network (.safetensors, .onnx)</source>
        <translation>Name des beschnittenen Netzes (.safetensors, .onnx)</translation>
    </message>
    <message>
        <source>Name one in the column pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name parameters and an objective, for example --learn axis.axis --objective variance.loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name their dataset, or another file or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of classes</source>
        <translation>Namen der Klassen</translation>
    </message>
    <message>
        <source>NeXus NXtomo</source>
        <translation>NeXus NXtomo</translation>
    </message>
    <message>
        <source>Negative values</source>
        <translation>Negative Werte</translation>
    </message>
    <message>
        <source>Negative: share of negative values, less is better for attenuation. Edges: sharp edges raise it, and so does noise.</source>
        <translation>Negativ: Anteil negativer Werte, weniger ist besser für die Schwächung. Kanten: scharfe Kanten erhöhen die Wertung, Rauschen auch.</translation>
    </message>
    <message>
        <source>Neighbouring detector rows whose results are combined by their median.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbouring rows</source>
        <translation>Benachbarte Zeilen</translation>
    </message>
    <message>
        <source>Neighbouring rows are fast and give the axis; rows all over the detector give its tilt too, but need the scan in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Network (TorchScript)</source>
        <translation>Netz (TorchScript)</translation>
    </message>
    <message>
        <source>Network file</source>
        <translation>Netzdatei</translation>
    </message>
    <message>
        <source>Network to prune</source>
        <translation>Zu beschneidendes Netz</translation>
    </message>
    <message>
        <source>Networks (*.safetensors *.onnx)</source>
        <translation>Netze (*.safetensors *.onnx)</translation>
    </message>
    <message>
        <source>Networks (*.safetensors *.onnx);;All files (*)</source>
        <translation>Netze (*.safetensors *.onnx);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Networks (*.safetensors)</source>
        <translation>Netze (*.safetensors)</translation>
    </message>
    <message>
        <source>New from template</source>
        <translation>Neu aus Vorlage</translation>
    </message>
    <message>
        <source>New pipeline</source>
        <translation>Neue Pipeline</translation>
    </message>
    <message>
        <source>Newton, trust region</source>
        <translation>Newton, Vertrauensbereich</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Nikon X-Tek</source>
        <translation>Nikon X-Tek</translation>
    </message>
    <message>
        <source>No 3D view is open. Choose 3D in the menu of a pane, or the workspace See.</source>
        <translation>Keine 3D-Ansicht ist offen. 3D im Menü eines Feldes wählen, oder den Arbeitsbereich Sehen.</translation>
    </message>
    <message>
        <source>No action or node matches “%1”.</source>
        <translation>Kein Befehl oder Knoten passt zu „%1“.</translation>
    </message>
    <message>
        <source>No class is named: Count finds the numbers.</source>
        <translation>Keine Klasse hat einen Namen: Zählen findet die Nummern.</translation>
    </message>
    <message>
        <source>No frame for %1</source>
        <translation>Kein Bild seit %1</translation>
    </message>
    <message>
        <source>No image</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>No labels on screen. Choose a node that makes some.</source>
        <translation>Keine Labels zu sehen. Einen Knoten wählen, der welche erzeugt.</translation>
    </message>
    <message>
        <source>No match.</source>
        <translation>Kein Treffer.</translation>
    </message>
    <message>
        <source>No node of this pipeline applies a network: add the node Network after the volume that has labels.</source>
        <translation>Kein Knoten dieser Pipeline wendet ein Netz an: den Knoten Netz nach dem Volumen mit Labels hinzufügen.</translation>
    </message>
    <message>
        <source>No objective fits. %1: %2</source>
        <translation>Keine Zielfunktion passt. %1: %2</translation>
    </message>
    <message>
        <source>No objective is known.</source>
        <translation>Keine Zielfunktion bekannt.</translation>
    </message>
    <message>
        <source>No pipeline of Tomoloom is nested so deeply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program opens %1</source>
        <translation>Kein Programm öffnet %1</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>Keine zuletzt geöffneten Dateien</translation>
    </message>
    <message>
        <source>No recent files.</source>
        <translation>Keine zuletzt geöffneten Dateien.</translation>
    </message>
    <message>
        <source>No scan waits</source>
        <translation>Kein Scan wartet</translation>
    </message>
    <message>
        <source>No scan yet. Drop one on the window.</source>
        <translation>Noch kein Scan. Einen auf dem Fenster ablegen.</translation>
    </message>
    <message>
        <source>No slices</source>
        <translation>Keine Schichten</translation>
    </message>
    <message>
        <source>No space is nested so deeply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No table. Choose a node that measures objects.</source>
        <translation>Keine Tabelle. Einen Knoten wählen, der Objekte misst.</translation>
    </message>
    <message>
        <source>No two views look from opposite sides.</source>
        <translation>Keine zwei Projektionen blicken von gegenüberliegenden Seiten.</translation>
    </message>
    <message>
        <source>No volume yet. Add a reconstruction and link it.</source>
        <translation>Noch kein Volumen. Eine Rekonstruktion hinzufügen und verbinden.</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Node %1, type %2</source>
        <translation>Knoten %1, Typ %2</translation>
    </message>
    <message>
        <source>Node reference</source>
        <translation>Knotenreferenz</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes by category</source>
        <translation>Knoten nach Kategorie</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Non-local means</source>
        <translation>Nicht-lokale Mittel</translation>
    </message>
    <message>
        <source>Non-local means of every view: averages each pixel with nearby ones in similar surroundings.</source>
        <translation>Nicht-lokale Mittel jeder Projektion: mittelt jedes Pixel mit nahen in ähnlicher Umgebung.</translation>
    </message>
    <message>
        <source>Non-local means of views</source>
        <translation>Nicht-lokale Mittel der Projektionen</translation>
    </message>
    <message>
        <source>Non-local means: averages every voxel with nearby ones in similar surroundings.</source>
        <translation>Nicht-lokale Mittel: mittelt jedes Voxel mit nahen in ähnlicher Umgebung.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>None of the files lies in that folder.</source>
        <translation>Keine der Dateien liegt in diesem Ordner.</translation>
    </message>
    <message>
        <source>None: normalised already</source>
        <translation>Keine: bereits normiert</translation>
    </message>
    <message>
        <source>Normalises each view by the empty beam at the left and right edge of the detector.</source>
        <translation>Normiert jede Projektion auf den leeren Strahl am linken und rechten Detektorrand.</translation>
    </message>
    <message>
        <source>Not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not above</source>
        <translation>Nicht über</translation>
    </message>
    <message>
        <source>Not below</source>
        <translation>Nicht unter</translation>
    </message>
    <message>
        <source>Not computed yet.</source>
        <translation>Noch nicht berechnet.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Not counted yet: press Count</source>
        <translation>Noch nicht gezählt: Zählen drücken</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Not found in the validation data: %1. Label more of it, or train longer.</source>
        <translation>In den Validierungsdaten nicht gefunden: %1. Mehr davon mit Labels versehen, oder länger trainieren.</translation>
    </message>
    <message>
        <source>Not included, because not measured yet: %1.</source>
        <translation>Nicht enthalten, weil noch nicht gemessen: %1.</translation>
    </message>
    <message>
        <source>Not labelled</source>
        <translation>Ohne Label</translation>
    </message>
    <message>
        <source>Not listed: %1.</source>
        <translation>Nicht aufgeführt: %1.</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>Nicht geladen</translation>
    </message>
    <message>
        <source>Not opened: %1</source>
        <translation>Nicht geöffnet: %1</translation>
    </message>
    <message>
        <source>Not painted: %1</source>
        <translation>Nicht gemalt: %1</translation>
    </message>
    <message>
        <source>Not run: %1 was not replaced.</source>
        <translation>Nicht gelaufen: %1 wurde nicht ersetzt.</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>Nicht gespeichert</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>Nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Not swept: %1</source>
        <translation>Keine Wertereihe: %1</translation>
    </message>
    <message>
        <source>Not trained: %1</source>
        <translation>Nicht trainiert: %1</translation>
    </message>
    <message>
        <source>Notes and warnings</source>
        <translation>Hinweise und Warnungen</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>Nichts passt.</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <source>Nothing here can be learned yet: load a scan and reconstruct it.</source>
        <translation>Hier lässt sich noch nichts lernen: einen Scan laden und rekonstruieren.</translation>
    </message>
    <message>
        <source>Nothing in the cache</source>
        <translation>Nichts im Zwischenspeicher</translation>
    </message>
    <message>
        <source>Nothing is clipped in the middle slice.</source>
        <translation>In der mittleren Schicht wird nichts abgeschnitten.</translation>
    </message>
    <message>
        <source>Nothing is labelled in this pipeline, so that nothing is trained after the steps: the filters that are left keep their weights, and the network segments worse than it could.</source>
        <translation>In dieser Pipeline hat nichts Labels, so dass nach den Schritten nicht trainiert wird: die verbleibenden Filter behalten ihre Gewichte, und das Netz segmentiert schlechter, als es könnte.</translation>
    </message>
    <message>
        <source>Nothing is marked to be followed. Mark a parameter, such as the axis, with ∇ in the inspector.</source>
        <translation>Nichts ist zum Verfolgen markiert. Einen Parameter, etwa die Achse, im Inspektor mit ∇ markieren.</translation>
    </message>
    <message>
        <source>Nothing is marked to be learned: choose a parameter that the learning dock lists.</source>
        <translation>Nichts ist zum Lernen markiert: einen Parameter wählen, den die Lernleiste aufführt.</translation>
    </message>
    <message>
        <source>Nothing is painted in this pipeline. Take a brush in a view, and paint some voxels of each class, the background being one; or link a volume and its labels to the node Examples.</source>
        <translation>In dieser Pipeline ist nichts gemalt. In einer Ansicht einen Pinsel nehmen und von jeder Klasse einige Voxel malen, auch vom Hintergrund; oder ein Volumen und seine Labels mit dem Knoten Beispiele verbinden.</translation>
    </message>
    <message>
        <source>Nothing is trained after the steps: the filters that are left keep their weights, and the network segments worse than it could.</source>
        <translation>Nach den Schritten wird nicht trainiert: die verbleibenden Filter behalten ihre Gewichte, und das Netz segmentiert schlechter, als es könnte.</translation>
    </message>
    <message>
        <source>Nothing to interpolate: paint %1 on two slices with unpainted ones between.</source>
        <translation>Nichts zu interpolieren: %1 auf zwei Schichten malen, mit unbemalten dazwischen.</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>Noch nichts zu zeigen</translation>
    </message>
    <message>
        <source>Nothing waits</source>
        <translation>Nichts wartet</translation>
    </message>
    <message>
        <source>Nothing was recorded, or the file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written, or the file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Number balls from the top, from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of a ball, from the top, from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of bins of the histogram, from 0 to the largest thickness.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of bins of the histogram.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of bins of the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of channels of the output; for two classes the program may give one channel, that of class 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of classes of the method 'Otsu, several classes'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of classes; one more than there are thresholds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of columns averaged into one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of detector rows that are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of finer columns per detector column.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of groups of rows, spread over the detector; a straight line through their axes gives axis and tilt. More than 1 needs the scan in memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of neighbouring slices that are used; a tilt needs more than one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of objects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of ordered subsets of views; 1 is ML-EM; more converge faster and less steadily. Each takes the memory of a volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of projections.</source>
        <translation>Anzahl der Projektionen.</translation>
    </message>
    <message>
        <source>Number of rows</source>
        <translation>Anzahl der Zeilen</translation>
    </message>
    <message>
        <source>Number of rows averaged into one; an incomplete last bin is dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of slices</source>
        <translation>Anzahl der Schichten</translation>
    </message>
    <message>
        <source>Number of subsets, at most one per view; more need fewer iterations but converge less steadily.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of successive frames that were taken of each view of a tilt series.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of successive frames that were taken of each view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of the Daubechies wavelet: 5 is db5. More is smoother and wider.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of the other ball.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of trees: more give smoother probabilities and take longer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of updates of the estimate; early iterations give coarse structure, later ones detail and noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of voxels along each axis averaged into one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number that fixes the random choices of the forest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number type</source>
        <translation>Zahlentyp</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Numbers of materials; 0 is air.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers of objects, or of a file, have no names here.</source>
        <translation>Nummern von Objekten oder aus einer Datei haben hier keine Namen.</translation>
    </message>
    <message>
        <source>Numbers of the classes to write; empty: all except 0 and unlabelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers per pixel that the program holds at a time, from which a run estimates its memory. For a U-Net about four times the channels of its first level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers, names and colours of the labels, such as: 1 enamel #e69f00; 2 dentine #56b4e9.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers, names and colours, such as: 1 enamel #e69f00; 2 dentine #56b4e9.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nuttall</source>
        <translation>Nuttall</translation>
    </message>
    <message>
        <source>Nyquist</source>
        <translation>Nyquist</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>OME-Zarr 0.4</source>
        <translation>OME-Zarr 0.4</translation>
    </message>
    <message>
        <source>OME-Zarr 0.5</source>
        <translation>OME-Zarr 0.5</translation>
    </message>
    <message>
        <source>Object radius</source>
        <translation>Objektradius</translation>
    </message>
    <message>
        <source>Object size</source>
        <translation>Objektgröße</translation>
    </message>
    <message>
        <source>Object that is scanned. All but Shepp-Logan 3D, the boxes, the sphere and the geode are infinitely long along the axis. With a size of 0.9 the box of thin walls is half as wide as the detector; where that has a multiple of 48 columns, its faces lie between voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Zielfunktion</translation>
    </message>
    <message>
        <source>Objectness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <source>Objects or classes: each number is one row, 0 is none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Objects with fewer voxels are removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oblique</source>
        <translation>Schräg</translation>
    </message>
    <message>
        <source>Odd flats and darks</source>
        <translation>Auffällige Hell- und Dunkelbilder</translation>
    </message>
    <message>
        <source>Odd flats and darks, in the form of the load node, can keep them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of earlier settings: Compute renews it.</source>
        <translation>Aus früheren Einstellungen: Berechnen erneuert sie.</translation>
    </message>
    <message>
        <source>Of the cross-entropy: with every class weighted equally, voxels of rare classes weigh more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the labels 1, 2, ..., separated by semicolons: formula, element or NIST name, and the density in g/cm3 where the tables have none; or 'bilinear' and the ratio of atomic numbers to water.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the parameters that vary</source>
        <translation>Der Parameter, die sich ändern</translation>
    </message>
    <message>
        <source>Offset of every pixel, row by row, in the unit of the views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset of the source along the detector's columns (cone beam).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offset of the source along the rotation axis (cone beam).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offsets</source>
        <translation>Versätze</translation>
    </message>
    <message>
        <source>On Debian it is the package libqt6sql6-sqlite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Once: the chosen model, as it is</source>
        <translation>Einmal: das gewählte Modell, wie es ist</translation>
    </message>
    <message>
        <source>One TIFF (ImageJ)</source>
        <translation>Ein TIFF (ImageJ)</translation>
    </message>
    <message>
        <source>One angle per view or per frame.</source>
        <translation>Ein Winkel je Projektion oder je Bild.</translation>
    </message>
    <message>
        <source>One average</source>
        <translation>Ein Mittel</translation>
    </message>
    <message>
        <source>One detector row does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One material in a beam of one energy, or materials in the beam of a tube: give one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One multi-page TIFF, BigTIFF where it exceeds 4 GiB; one TIFF per slice; HDF5 for NeXus programs; NRRD, MetaImage (.mhd with .raw, or .mha) or NIfTI for 3D Slicer and ITK; MRC for IMOD and RELION; OME-Zarr, a folder of chunks with coarser levels, for napari and Neuroglancer; DICOM, a folder of 16-bit slices, for medical imaging.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One number for parameters of several nodes: link it to them.</source>
        <translation>Eine Zahl für Parameter mehrerer Knoten: mit ihnen verbinden.</translation>
    </message>
    <message>
        <source>One number per frame: 0 projection, 1 flat, 2 dark, 3 invalid.</source>
        <translation>Eine Zahl je Bild: 0 Projektion, 1 Hellbild, 2 Dunkelbild, 3 ungültig.</translation>
    </message>
    <message>
        <source>One row per class: voxels in the truth, in the labels, in both, and the scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One row per number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One view in so many is picked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One view per burst, or as many as came in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only networks that end in fully connected layers can be applied to all pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only shown: %1</source>
        <translation>Nur gezeigt: %1</translation>
    </message>
    <message>
        <source>Only the layout of the canvas or of the views differs</source>
        <translation>Nur die Anordnung der Zeichenfläche oder der Ansichten unterscheidet sich</translation>
    </message>
    <message>
        <source>Only the same voxels</source>
        <translation>Nur dieselben Voxel</translation>
    </message>
    <message>
        <source>Only voxels within this share of the circle inscribed in a slice are in the histogram.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only voxels within this share of the circle inscribed in a slice count.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open	Enter</source>
        <translation>Öffnen	Enter</translation>
    </message>
    <message>
        <source>Open a folder that holds one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a scan</source>
        <translation>Scan öffnen</translation>
    </message>
    <message>
        <source>Open a scan or a pipeline</source>
        <translation>Scan oder Pipeline öffnen</translation>
    </message>
    <message>
        <source>Open a scan: its steps appear here.</source>
        <translation>Einen Scan öffnen: seine Schritte erscheinen hier.</translation>
    </message>
    <message>
        <source>Open a scan…</source>
        <translation>Scan öffnen…</translation>
    </message>
    <message>
        <source>Open an image in it, for example %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open another…</source>
        <translation>Andere öffnen…</translation>
    </message>
    <message>
        <source>Open it again once nothing writes to it any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it with that one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open one of them: flats and darks next to it are found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open that file itself, or keep it in the folder of the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the form</source>
        <translation>Formular öffnen</translation>
    </message>
    <message>
        <source>Open the list of messages</source>
        <translation>Liste der Meldungen öffnen</translation>
    </message>
    <message>
        <source>Open the numbers as raw frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the pipeline again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the pipeline with its scan and parameters</source>
        <translation>Die Pipeline mit ihrem Scan und ihren Parametern öffnen</translation>
    </message>
    <message>
        <source>Open the record</source>
        <translation>Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Open the result	Enter</source>
        <translation>Ergebnis öffnen	Enter</translation>
    </message>
    <message>
        <source>Open the volume that holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Opens a scan on disk: NXtomo, APS Data Exchange, ESRF BLISS and EDF, Nikon .xtekct, Bruker SkyScan .log, phoenix .pca, Zeiss .txrm, MRC, TIFF or raw frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a segmented volume on disk, whose voxels are numbers of classes: any format of volumes.</source>
        <translation>Öffnet ein segmentiertes Volumen, dessen Voxel Nummern von Klassen sind: jedes Volumenformat.</translation>
    </message>
    <message>
        <source>Opens a volume on disk: TIFF, a folder of slices, HDF5 (NXtomoproc, nabu), NRRD, MetaImage, NIfTI, MRC, OME-Zarr or DICOM.</source>
        <translation>Öffnet ein Volumen: TIFF, ein Ordner von Schichten, HDF5 (NXtomoproc, nabu), NRRD, MetaImage, NIfTI, MRC, OME-Zarr oder DICOM.</translation>
    </message>
    <message>
        <source>Opens frames taken one after the other (a movie): TIFF of many pages, MRC, or a folder of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens pairs of sinograms and slices, to train reconstructions and networks with.</source>
        <translation>Öffnet Paare aus Sinogramm und Schicht, um Rekonstruktionen und Netze zu trainieren.</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>Opposite views on top of each other</source>
        <translation>Gegenüberliegende Projektionen übereinander</translation>
    </message>
    <message>
        <source>Or: first, else second</source>
        <translation>Oder: Erstes, sonst Zweites</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Ordnung</translation>
    </message>
    <message>
        <source>Orientations</source>
        <translation>Richtungen</translation>
    </message>
    <message>
        <source>Other colour…</source>
        <translation>Andere Farbe…</translation>
    </message>
    <message>
        <source>Other columns</source>
        <translation>Andere Spalten</translation>
    </message>
    <message>
        <source>Other programs subscribe here to the slices of the panes, each as float32 in the unit of its pane. Volumes are not sent. Empty: nothing is sent.</source>
        <translation>Andere Programme abonnieren hier die Schichten der Felder, jede als float32 in der Einheit ihres Feldes. Volumen werden nicht gesendet. Leer: nichts wird gesendet.</translation>
    </message>
    <message>
        <source>Otsu</source>
        <translation>Otsu</translation>
    </message>
    <message>
        <source>Otsu, several classes</source>
        <translation>Otsu, mehrere Klassen</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Outline of the pipeline</source>
        <translation>Gliederung der Pipeline</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Outside the field of view</source>
        <translation>Außerhalb des Gesichtsfelds</translation>
    </message>
    <message>
        <source>Over</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Over which neighbours basins grow: those that share a face, at least an edge, or at least a corner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Over which neighbours regions grow: those that share a face, at least an edge, or at least a corner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Overlaps of fewer columns are not tried.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlay of opposite views: drag until they agree.</source>
        <translation>Überlagerung gegenüberliegender Projektionen: ziehen, bis sie übereinstimmen.</translation>
    </message>
    <message>
        <source>Overlay or sweep</source>
        <translation>Überlagerung oder Wertereihe</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>Overwriting it loses what another window or program has saved.</source>
        <translation>Überschreiben verwirft, was ein anderes Fenster oder Programm gespeichert hat.</translation>
    </message>
    <message>
        <source>PLY</source>
        <translation>PLY</translation>
    </message>
    <message>
        <source>PLY counts vertices in 31 bits, and there are %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PUB: frames are lost</source>
        <translation>PUB: Bilder gehen verloren</translation>
    </message>
    <message>
        <source>PUSH: the sender waits</source>
        <translation>PUSH: der Sender wartet</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paganin</source>
        <translation>Paganin</translation>
    </message>
    <message>
        <source>Paganin 2002</source>
        <translation>Paganin 2002</translation>
    </message>
    <message>
        <source>Paganin phase retrieval: absorption or thickness of a homogeneous object from one propagation distance.</source>
        <translation>Paganin-Phasenrekonstruktion: Absorption oder Dicke eines homogenen Objekts aus einem Abstand.</translation>
    </message>
    <message>
        <source>Pages (*.html);;PDF (*.pdf)</source>
        <translation>Seiten (*.html);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Paint %1</source>
        <translation>%1 malen</translation>
    </message>
    <message>
        <source>Paint a second class, for example the background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint at least one voxel of a class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint at least one voxel of every class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint at least two classes, or load labels of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint labels</source>
        <translation>Labels malen</translation>
    </message>
    <message>
        <source>Paint labels: %1</source>
        <translation>Labels malen: %1</translation>
    </message>
    <message>
        <source>Paint markers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint markers, or let them be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint some voxels of two classes or more: W in a view of the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint voxels of at least two classes, the background being one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Painting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Painting %1 · B, E, L, G, T, I and 1 to 9 choose how · Esc ends it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Painting %1 · Esc ends it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Painting tools</source>
        <translation>Malwerkzeuge</translation>
    </message>
    <message>
        <source>Paints %1, %2 voxels wide (1 to 9 choose another label, Alt and a click picks one; [ and ], or Ctrl and the wheel, change the size)</source>
        <translation>Malt %1, %2 Voxel breit (1 bis 9 wählen ein anderes Label, Alt und ein Klick nimmt eines auf; [ und ], oder Strg und das Rad, ändern die Größe)</translation>
    </message>
    <message>
        <source>Pair of views</source>
        <translation>Projektionspaar</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Pairs of views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Parallel (synchrotron) or cone (laboratory source) beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parallel, or a cone from a point source, whose distances must be known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameter that differs in B</source>
        <translation>Parameter, der in B anders ist</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameters and voxels of two entries (Ctrl+click takes two)</source>
        <translation>Parameter und Voxel zweier Einträge (Strg+Klick nimmt zwei)</translation>
    </message>
    <message>
        <source>Parameters are learned in float64 (Double)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters that differ from the pipeline for this scan, such as fbp.cutoff=0.8. F2 or a double click changes them</source>
        <translation>Parameter, die bei diesem Scan von der Pipeline abweichen, etwa fbp.cutoff=0.8. F2 oder ein Doppelklick ändert sie</translation>
    </message>
    <message>
        <source>Parameters with a nabla are found by gradients, with an uncertainty and a verdict.</source>
        <translation>Parameter mit einem Nabla werden durch Gradienten gefunden, mit Unsicherheit und Urteil.</translation>
    </message>
    <message>
        <source>Parameters, CSV</source>
        <translation>Parameter, CSV</translation>
    </message>
    <message>
        <source>Parent Directory</source>
        <translation>Übergeordneter Ordner</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Part of the views</source>
        <translation>Teil der Projektionen</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Parzen</source>
        <translation>Parzen</translation>
    </message>
    <message>
        <source>Passes every slice through a small convolutional network (CNN) with learned weights.</source>
        <translation>Schickt jede Schicht durch ein kleines Faltungsnetz (CNN) mit gelernten Gewichten.</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Paste with incoming links</source>
        <translation>Mit ankommenden Verbindungen einfügen</translation>
    </message>
    <message>
        <source>Patch</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Patches in a step</source>
        <translation>Ausschnitte je Schritt</translation>
    </message>
    <message>
        <source>Patches of</source>
        <translation>Ausschnitte von</translation>
    </message>
    <message>
        <source>Patches that are shown in an epoch of this training.</source>
        <translation>Ausschnitte, die in einer Epoche dieses Trainings gezeigt werden.</translation>
    </message>
    <message>
        <source>Patches that the network is trained on before it is validated again.</source>
        <translation>Ausschnitte, auf denen das Netz trainiert wird, bevor es wieder validiert wird.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Pause or resume	Space</source>
        <translation>Anhalten oder fortsetzen	Space</translation>
    </message>
    <message>
        <source>Pause queue</source>
        <translation>Warteschlange anhalten</translation>
    </message>
    <message>
        <source>Paused · %1</source>
        <translation>Angehalten · %1</translation>
    </message>
    <message>
        <source>Pausing after this step · %1</source>
        <translation>Hält nach diesem Schritt an · %1</translation>
    </message>
    <message>
        <source>Percentiles</source>
        <translation>Perzentile</translation>
    </message>
    <message>
        <source>Perhaps memory is short: close other programs, or allow less memory%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Phantom</source>
        <translation>Phantom</translation>
    </message>
    <message>
        <source>Phase contrast</source>
        <translation>Phasenkontrast</translation>
    </message>
    <message>
        <source>Phase contrast: the transmission at a distance behind a homogeneous object of known thickness.</source>
        <translation>Phasenkontrast: die Transmission in einem Abstand hinter einem homogenen Objekt bekannter Dicke.</translation>
    </message>
    <message>
        <source>Phase retrieval</source>
        <translation>Phasenrekonstruktion</translation>
    </message>
    <message>
        <source>Phase retrieval needs transmission, reconstruction needs absorption.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Phase retrieval of a homogeneous object, valid also where Paganin's filter blurs fine details.</source>
        <translation>Phasenrekonstruktion eines homogenen Objekts, auch dort gültig, wo Paganins Filter feine Einzelheiten verwischt.</translation>
    </message>
    <message>
        <source>Photon energy, which the scan states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Photon energy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Photon noise</source>
        <translation>Photonenrauschen</translation>
    </message>
    <message>
        <source>Photons</source>
        <translation>Photonen</translation>
    </message>
    <message>
        <source>Photons at each energy, in any unit; one number for every energy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Photons below it are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pick fewer, or other views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pick map</source>
        <translation>Karte auswählen</translation>
    </message>
    <message>
        <source>Pick one of the maps by a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picks one of several maps as a volume: the probability of one class.</source>
        <translation>Wählt eine von mehreren Karten als Volumen: die Wahrscheinlichkeit einer Klasse.</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin results in the cache</source>
        <translation>Ergebnisse im Zwischenspeicher anheften</translation>
    </message>
    <message>
        <source>Pin the present slice of the live scan, or unpin it</source>
        <translation>Die jetzige Schicht der laufenden Aufnahme anheften oder lösen</translation>
    </message>
    <message>
        <source>Pin the results of this node</source>
        <translation>Die Ergebnisse dieses Knotens anheften</translation>
    </message>
    <message>
        <source>Pin window</source>
        <translation>Fenster anheften</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Pinned results stay in the cache when it is full.</source>
        <translation>Angeheftete Ergebnisse bleiben im Zwischenspeicher, wenn er voll ist.</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Pipeline, parameters, inputs and versions are equal.</source>
        <translation>Pipeline, Parameter, Eingaben und Versionen sind gleich.</translation>
    </message>
    <message>
        <source>Pipelines (*.json *.tomoloom)</source>
        <translation>Pipelines (*.json *.tomoloom)</translation>
    </message>
    <message>
        <source>Pixel classifier</source>
        <translation>Pixelklassifikator</translation>
    </message>
    <message>
        <source>Pixel classifier: learns classes from a few strokes and labels all voxels, by a random forest.</source>
        <translation>Pixelklassifikator: lernt Klassen aus wenigen Strichen und segmentiert alle Voxel mit einem Random Forest.</translation>
    </message>
    <message>
        <source>Pixel offsets</source>
        <translation>Pixelversätze</translation>
    </message>
    <message>
        <source>Pixel size</source>
        <translation>Pixelgröße</translation>
    </message>
    <message>
        <source>Pixel size in the form of the load node sets another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels are</source>
        <translation>Pixel sind</translation>
    </message>
    <message>
        <source>Pixels are floats without flats: if they are transmission or absorption already, say so (%1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels are, in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels binned together at first; larger ones find larger shifts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels binned together at last; 2 x 2 is four times faster and hardly less exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels of 8, 16 or 32 bits can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place a value probe</source>
        <translation>Messpunkt setzen</translation>
    </message>
    <message>
        <source>Plain number</source>
        <translation>Bloße Zahl</translation>
    </message>
    <message>
        <source>Planes of all directions are for networks that are to label oblique slices.</source>
        <translation>Ebenen aller Richtungen sind für Netze, die schräge Schichten segmentieren sollen.</translation>
    </message>
    <message>
        <source>Plates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plug-in</source>
        <translation>Plug-in</translation>
    </message>
    <message>
        <source>Points along each edge of a voxel over which its grey value is averaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points of the sweep</source>
        <translation>Punkte der Wertereihe</translation>
    </message>
    <message>
        <source>Points per parameter</source>
        <translation>Punkte je Parameter</translation>
    </message>
    <message>
        <source>Poisson noise; the exact mean counts; or Gaussian noise of the projections, with exact flats and darks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Population variance.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Porosity</source>
        <translation>Porosität</translation>
    </message>
    <message>
        <source>Porosity: the share of pores in a volume, open and closed, and slice by slice.</source>
        <translation>Porosität: der Anteil der Poren an einem Volumen, offen und geschlossen, und je Schicht.</translation>
    </message>
    <message>
        <source>Positions are pixels from the detector centre</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Positions as they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Possible systematic error across the rotation axis where the data do not meet the assumptions of this objective: a mean square displacement, in square pixels; learning subtracts the share of noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Possible systematic error along the rotation axis where the data do not meet the assumptions of this objective: a mean square displacement, in square pixels; learning subtracts the share of noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Preferences…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>Wird vorbereitet…</translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation>Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Probabilities from 0 to 1, or their log odds, any number: then 0 means one half.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probabilities, for example of a soft threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>Messpunkt</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>Progress of the queue</source>
        <translation>Fortschritt der Warteschlange</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Progress of the sweep</source>
        <translation>Fortschritt der Wertereihe</translation>
    </message>
    <message>
        <source>Progress of the training</source>
        <translation>Fortschritt des Trainings</translation>
    </message>
    <message>
        <source>Project a mask, such as soft Otsu's, for a thickness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projections</source>
        <translation>Projektionen</translation>
    </message>
    <message>
        <source>Propagate</source>
        <translation>Ausbreiten</translation>
    </message>
    <message>
        <source>Propagation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Propagation distance from sample to detector, for a parallel beam. Leave 0 for a cone beam: the distance from axis to detector is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Propagation distance from the sample to the detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>Beschneiden</translation>
    </message>
    <message>
        <source>Prune a network</source>
        <translation>Netz beschneiden</translation>
    </message>
    <message>
        <source>Prune a network that was trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put both into one folder, and name the file alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put fields with commas in quotes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put flat-field nodes before this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put it back next to the scan: without it the pixels would read as zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put it next to its header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put it next to the EDF file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put it next to the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the file itself next to its header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the file that is meant in its place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the flat-field node before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the flat-field node before this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the frames next to it; frames in other formats are converted to TIFF first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the linked file back next to the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the node 'Load labels' (input.load_labels) instead of 'Paint labels' into the pipeline and give its file: --set NODE.file=LABELS; or give a trained model: --set NODE.training=once --set NODE.model=FILE. Strokes are painted in the studio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put them back next to the scan: without them the pixels would read as zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put them next to the file, or correct InputFolderName</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this node after the flat-field node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this node before the flat-field node, or give the saturation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qt's driver for SQLite is not installed, so there is no history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quadratic</source>
        <translation>Quadratisch</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Quartic</source>
        <translation>Biquadratisch</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Queue and history</source>
        <translation>Warteschlange und Verlauf</translation>
    </message>
    <message>
        <source>Queue in %1</source>
        <translation>Warteschlange in %1</translation>
    </message>
    <message>
        <source>Queue new scans by themselves</source>
        <translation>Neue Scans von selbst einreihen</translation>
    </message>
    <message>
        <source>Queue of scans</source>
        <translation>Warteschlange der Scans</translation>
    </message>
    <message>
        <source>Queue the selected scans</source>
        <translation>Ausgewählte Scans einreihen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>R tries again</source>
        <translation>R versucht es erneut</translation>
    </message>
    <message>
        <source>REQ: each is answered</source>
        <translation>REQ: jedes wird beantwortet</translation>
    </message>
    <message>
        <source>Radians</source>
        <translation>Bogenmaß</translation>
    </message>
    <message>
        <source>Radians: numbers that were taken for degrees are radians, because the file states no unit, or a wrong one. That goes for angles as text and for a step between views, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius</source>
        <translation>Radius</translation>
    </message>
    <message>
        <source>Radius of the cylinder, as a share of the circle inscribed in a slice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the element, in voxels along x; half of the edge of a box.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the patches that are compared.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the phantom as a share of the largest circle that stays in the field; above 1 it is truncated.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the window in which similar patches are searched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the windows</source>
        <translation>Radius der Fenster</translation>
    </message>
    <message>
        <source>Raise the limit (ulimit -f)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ram-Lak</source>
        <translation>Ram-Lak</translation>
    </message>
    <message>
        <source>Ramp filter with a window that trades sharpness for noise; 'none' is a weighted back-projection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ramp filter with a window that trades sharpness for noise; 'none' is not possible here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ramp filter with a window that trades sharpness for noise; 'none' is the plain back-projection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random ellipses</source>
        <translation>Zufällige Ellipsen</translation>
    </message>
    <message>
        <source>Random walker</source>
        <translation>Random walker</translation>
    </message>
    <message>
        <source>Random walker: labels all voxels from a few labelled ones, with borders at edges of the volume.</source>
        <translation>Random Walker: segmentiert alle Voxel aus wenigen mit Label, mit Grenzen an Kanten des Volumens.</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Ratio of delta to beta in the refractive index 1 - delta + i beta; larger is smoother.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Raw frames</source>
        <translation>Rohe Bilder</translation>
    </message>
    <message>
        <source>Raw: byte order</source>
        <translation>Roh: Bytefolge</translation>
    </message>
    <message>
        <source>Raw: numbers</source>
        <translation>Roh: Zahlen</translation>
    </message>
    <message>
        <source>Raw: offset</source>
        <translation>Roh: Versatz</translation>
    </message>
    <message>
        <source>Raw: size</source>
        <translation>Roh: Größe</translation>
    </message>
    <message>
        <source>Ray weights</source>
        <translation>Strahlgewichte</translation>
    </message>
    <message>
        <source>Rays along each edge of a pixel; more than one averages the line integrals over the pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rays per pixel edge</source>
        <translation>Strahlen je Pixelkante</translation>
    </message>
    <message>
        <source>Reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read fewer views or rows at a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read files outside the folder of %1?</source>
        <translation>Dateien außerhalb des Ordners von %1 lesen?</translation>
    </message>
    <message>
        <source>Read the numbers as raw frames (--raw-size)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading what is in the file…</source>
        <translation>Es wird gelesen, was in der Datei ist…</translation>
    </message>
    <message>
        <source>Reads a table of numbers from CSV, such as the motion of a registration before this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Receives frames from this address.</source>
        <translation>Empfängt Bilder von dieser Adresse.</translation>
    </message>
    <message>
        <source>Receiving</source>
        <translation>Empfängt</translation>
    </message>
    <message>
        <source>Receiving · %1 frames a second</source>
        <translation>Empfängt · %1 Bilder je Sekunde</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Recent Places</source>
        <translation>Zuletzt besucht</translation>
    </message>
    <message>
        <source>Reconstruct both and join the volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconstruct both on the same grid, or resample one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconstruct both with the same voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconstruct slices that contain the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconstruct such a volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconstruction</source>
        <translation>Rekonstruktion</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>Record flats, or, if the views are normalised already, say what the pixels are (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record the live scan, or end its record</source>
        <translation>Die laufende Aufnahme aufzeichnen, oder die Aufzeichnung beenden</translation>
    </message>
    <message>
        <source>Record the scan</source>
        <translation>Scan aufzeichnen</translation>
    </message>
    <message>
        <source>Record the scan again, or copy it whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recorded %1 scans, the last one as %2</source>
        <translation>%1 Scans aufgezeichnet, den letzten als %2</translation>
    </message>
    <message>
        <source>Recorded %1: %2 views, %3 flats, %4 darks</source>
        <translation>%1 aufgezeichnet: %2 Projektionen, %3 Hellbilder, %4 Dunkelbilder</translation>
    </message>
    <message>
        <source>Record…</source>
        <translation>Aufzeichnen…</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Recover or remove it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovered the unsaved changes of %1.</source>
        <translation>Die ungespeicherten Änderungen von %1 wurden wiederhergestellt.</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Redundancy weights where some rays are measured twice and others once: short scans, more than half a turn of a parallel beam, half acquisition. Automatic chooses by the geometry and reports the choice and its reason. In a live scan views with equal weights are filtered once; with ray weights, those of every window are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Bezug</translation>
    </message>
    <message>
        <source>Reference page</source>
        <translation>Referenzseite</translation>
    </message>
    <message>
        <source>Reference volume on the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refuse</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Region growing</source>
        <translation>Bereichswachstum</translation>
    </message>
    <message>
        <source>Region growing: regions of similar value grow from labelled voxels over their neighbours.</source>
        <translation>Bereichswachstum: Bereiche ähnlicher Werte wachsen von Voxeln mit Label über ihre Nachbarn.</translation>
    </message>
    <message>
        <source>Region in the slice XY</source>
        <translation>Bereich in der Schicht XY</translation>
    </message>
    <message>
        <source>Region in the slice XZ</source>
        <translation>Bereich in der Schicht XZ</translation>
    </message>
    <message>
        <source>Region on the image</source>
        <translation>Bereich auf dem Bild</translation>
    </message>
    <message>
        <source>Region table: size, position, shape and grey values of each object or class.</source>
        <translation>Tabelle der Bereiche: Größe, Ort, Form und Grauwerte jedes Objekts oder jeder Klasse.</translation>
    </message>
    <message>
        <source>Region that is kept</source>
        <translation>Bereich, der bleibt</translation>
    </message>
    <message>
        <source>Registration: finds how one volume has to be shifted, rotated, stretched or deformed to fit another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regularisation</source>
        <translation>Regularisierung</translation>
    </message>
    <message>
        <source>Regularisation at frequencies below the first maximum of the transfer function. 0 keeps the absorption exact; 1e-5, as in nabu, lowers the absorption.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regularisation beyond the first maximum of the transfer function, which has zeros; larger is smoother.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Reject the learned values</source>
        <translation>Die gelernten Werte ablehnen</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>Relativ</translation>
    </message>
    <message>
        <source>Relative change of volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relative residual at which the probabilities are exact enough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Relaxation</source>
        <translation>Relaxation</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove a class</source>
        <translation>Klasse entfernen</translation>
    </message>
    <message>
        <source>Remove a link: iterations are done inside a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove a measurement</source>
        <translation>Messung entfernen</translation>
    </message>
    <message>
        <source>Remove frame</source>
        <translation>Rahmen entfernen</translation>
    </message>
    <message>
        <source>Remove from the list	Del</source>
        <translation>Aus der Liste entfernen	Del</translation>
    </message>
    <message>
        <source>Remove from the queue	Del</source>
        <translation>Aus der Warteschlange entfernen	Del</translation>
    </message>
    <message>
        <source>Remove it from the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove link to %1</source>
        <translation>Verbindung zu %1 entfernen</translation>
    </message>
    <message>
        <source>Remove noise first, for example with filter.median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove one of the two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove small objects</source>
        <translation>Kleine Objekte entfernen</translation>
    </message>
    <message>
        <source>Remove the chosen class (Del)</source>
        <translation>Die gewählte Klasse entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove the driving link</source>
        <translation>Die treibende Verbindung entfernen</translation>
    </message>
    <message>
        <source>Remove the line profile</source>
        <translation>Linienprofil entfernen</translation>
    </message>
    <message>
        <source>Remove the link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the link to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the link, or choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the selected measurement (Del)</source>
        <translation>Die gewählte Messung entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove the slices that were moved, or resample the series first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the wrong line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this node while learning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes connected objects of few voxels; the others keep their numbers.</source>
        <translation>Entfernt zusammenhängende Objekte aus wenigen Voxeln; die anderen behalten ihre Nummern.</translation>
    </message>
    <message>
        <source>Removes ring artefacts by damping the wavelet coefficients that hardly change with the view.</source>
        <translation>Entfernt Ringartefakte durch Dämpfen der Wavelet-Koeffizienten, die sich mit der Projektion kaum ändern.</translation>
    </message>
    <message>
        <source>Removes ring artefacts from each sinogram by the methods of Vo, Atwood and Drakopoulos.</source>
        <translation>Entfernt Ringartefakte aus jedem Sinogramm mit den Verfahren von Vo, Atwood und Drakopoulos.</translation>
    </message>
    <message>
        <source>Removes ring artefacts from reconstructed slices, in polar coordinates about the rotation axis.</source>
        <translation>Entfernt Ringartefakte aus rekonstruierten Schichten, in Polarkoordinaten um die Drehachse.</translation>
    </message>
    <message>
        <source>Removes the cached results of this node; they are computed again when needed.</source>
        <translation>Entfernt die Zwischenergebnisse dieses Knotens; sie werden bei Bedarf neu berechnet.</translation>
    </message>
    <message>
        <source>Removes the pinned window (Ctrl+Shift+P).</source>
        <translation>Das angeheftete Fenster verschwindet (Strg+Umschalt+P).</translation>
    </message>
    <message>
        <source>Removes the unsaved changes of %1</source>
        <translation>Entfernt die ungespeicherten Änderungen von %1</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>Rename it, or choose another folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the scans or folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Repeat that one to finish it, choose another output name%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat the edge</source>
        <translation>Rand wiederholen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace %1?</source>
        <translation>%1 ersetzen?</translation>
    </message>
    <message>
        <source>Replace and train</source>
        <translation>Ersetzen und trainieren</translation>
    </message>
    <message>
        <source>Replace them first, for example with filter.circular_mask or filter.median</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace them first, or crop the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaces all angles: equal steps of range / views; negative rotates in the opposite direction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replaces the voxels outside a circle about the axis of the volume.</source>
        <translation>Ersetzt die Voxel außerhalb eines Kreises um die Achse des Volumens.</translation>
    </message>
    <message>
        <source>Replay it without noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report, PDF</source>
        <translation>Bericht, PDF</translation>
    </message>
    <message>
        <source>Report, web page</source>
        <translation>Bericht, Webseite</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Bericht…</translation>
    </message>
    <message>
        <source>Reprojection error</source>
        <translation>Reprojektionsfehler</translation>
    </message>
    <message>
        <source>Request a region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Request its values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resample it to a right-angled grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resample volume</source>
        <translation>Volumen neu abtasten</translation>
    </message>
    <message>
        <source>Rescale to 8 or 16 bits</source>
        <translation>Auf 8 oder 16 Bit skalieren</translation>
    </message>
    <message>
        <source>Rescales a range of values to 8-bit or 16-bit integers, with the scale and offset to convert them back.</source>
        <translation>Skaliert einen Wertebereich auf 8- oder 16-Bit-Ganzzahlen, mit Skala und Versatz zum Zurückrechnen.</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset the workspaces</source>
        <translation>Arbeitsbereiche zurücksetzen</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resolution by the half-bit threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resolution by the threshold 0.143.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>Neustarts</translation>
    </message>
    <message>
        <source>Restore Defaults</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Restore it from a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore it from a copy, and open the pipeline again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore it from a copy, or cut it off after %1 bytes and set "stroke" to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore it from a copy, or set "stroke" to %1, the one before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore it from a copy, or set "stroke" to an earlier one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the file, or remove it to read the stored integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the submitted script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Result A</source>
        <translation>Ergebnis A</translation>
    </message>
    <message>
        <source>Result B</source>
        <translation>Ergebnis B</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Results of the check</source>
        <translation>Ergebnisse der Prüfung</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resumes the stopped training; the result is the same as without the stop</source>
        <translation>Setzt das angehaltene Training fort; das Ergebnis ist dasselbe wie ohne Anhalten</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Retry	R</source>
        <translation>Erneut versuchen	R</translation>
    </message>
    <message>
        <source>Retry failed</source>
        <translation>Gescheiterte erneut versuchen</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Reversed</source>
        <translation>Umgekehrt</translation>
    </message>
    <message>
        <source>Reversed negates all angles: for a stage that rotates in the opposite direction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Right columns</source>
        <translation>Rechte Spalten</translation>
    </message>
    <message>
        <source>Right dock</source>
        <translation>Rechte Leiste</translation>
    </message>
    <message>
        <source>Rigid and scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rigid: shift and rotation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ring removal</source>
        <translation>Ringe entfernen</translation>
    </message>
    <message>
        <source>Ring removal by a learned offset of every detector pixel, which is subtracted from all views.</source>
        <translation>Ringentfernung durch einen gelernten Versatz jedes Detektorpixels, der von allen Projektionen abgezogen wird.</translation>
    </message>
    <message>
        <source>Rings farther from the axis than this are not removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rings, automatic</source>
        <translation>Ringe, automatisch</translation>
    </message>
    <message>
        <source>Rings, automatic removes only stripes.</source>
        <translation>Ringe, automatisch entfernt nur Streifen.</translation>
    </message>
    <message>
        <source>Rings: stripes in %1 of %2</source>
        <translation>Ringe: Streifen in %1 von %2</translation>
    </message>
    <message>
        <source>Rms change of the mass from view to view above which the result is not trusted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rms distance of the centres of mass from the sinusoid, in pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rock</source>
        <translation>Gestein</translation>
    </message>
    <message>
        <source>Roll</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rolls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Root mean square shift of the frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Root mean square shift of the views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotate gain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotate views</source>
        <translation>Projektionen drehen</translation>
    </message>
    <message>
        <source>Rotate volume</source>
        <translation>Volumen drehen</translation>
    </message>
    <message>
        <source>Rotates a volume about its centre, without interpolation.</source>
        <translation>Dreht ein Volumen um seine Mitte, ohne Interpolation.</translation>
    </message>
    <message>
        <source>Rotates every view in its plane, so that a tilted rotation axis stands upright.</source>
        <translation>Dreht jede Projektion in ihrer Ebene, so dass eine geneigte Drehachse aufrecht steht.</translation>
    </message>
    <message>
        <source>Rotation axis</source>
        <translation>Drehachse</translation>
    </message>
    <message>
        <source>Rotation axis in the given scan, pixels from the detector centre, with verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation axis in the given scan, pixels from the detector centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation axis, in pixels from the detector centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation axis, pixels from the detector centre towards larger columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation axis, pixels from the detector centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation of each view in the plane of the detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation of the detector about its columns, cone beam: larger columns lie farther from the source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation of the detector about its columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation of the detector about its rows, cone beam: its top lies farther from the source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation of the detector about its rows: not resolved, 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotation of the detector in its plane in each view, in addition to the tilt; empty = as the scan has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RotationSector is 0: all views have the same angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotations that map the object onto itself: C1 (none), Cn or Dn with n from 1 to 360, T, O or I. The n-fold axis is z, a twofold axis of Dn is x; T, O and I have axes along x, y and z, through the volume's centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>Rundung</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Rows %1 to %2, columns %3 to %4</source>
        <translation>Zeilen %1 bis %2, Spalten %3 bis %4</translation>
    </message>
    <message>
        <source>Rows and columns</source>
        <translation>Zeilen und Spalten</translation>
    </message>
    <message>
        <source>Rows and columns must be the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows count from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows each time</source>
        <translation>Zeilen je Mal</translation>
    </message>
    <message>
        <source>Rows of the slices</source>
        <translation>Zeilen der Schichten</translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation>Zeilen der Tabelle</translation>
    </message>
    <message>
        <source>Rows that both scans show, with verdict.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows that both scans show.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Run %1 · %2</source>
        <translation>Lauf %1 · %2</translation>
    </message>
    <message>
        <source>Run all</source>
        <translation>Alles rechnen</translation>
    </message>
    <message>
        <source>Run all   F5</source>
        <translation>Alles rechnen   F5</translation>
    </message>
    <message>
        <source>Run all (F5) writes the outputs; the forecast says time and memory before. Ctrl+K finds every action and step by its words. F1 opens the guide.</source>
        <translation>Alles rechnen (F5) schreibt die Ausgaben; die Vorhersage nennt vorher Zeit und Speicher. Strg+K findet jeden Befehl und Schritt nach Wörtern. F1 öffnet das Handbuch.</translation>
    </message>
    <message>
        <source>Run all with an empty cache</source>
        <translation>Alles mit leerem Zwischenspeicher rechnen</translation>
    </message>
    <message>
        <source>Run in the queue</source>
        <translation>In der Warteschlange rechnen</translation>
    </message>
    <message>
        <source>Run of %1</source>
        <translation>Lauf von %1</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>Rechnen auf</translation>
    </message>
    <message>
        <source>Run the slab again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the slabs again with one pipeline, input and version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the slabs first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run them, or those that failed again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run to selection</source>
        <translation>Bis zur Auswahl rechnen</translation>
    </message>
    <message>
        <source>Run, and find anything</source>
        <translation>Rechnen, und alles finden</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Runs (%1)</source>
        <translation>Läufe (%1)</translation>
    </message>
    <message>
        <source>Runs appear here.</source>
        <translation>Läufe erscheinen hier.</translation>
    </message>
    <message>
        <source>Runs the pipeline at every value of one or two parameters, and compares the scores</source>
        <translation>Rechnet die Pipeline für jeden Wert eines oder zweier Parameter und vergleicht die Wertungen</translation>
    </message>
    <message>
        <source>Runs the waiting scans (F5)</source>
        <translation>Rechnet die wartenden Scans (F5)</translation>
    </message>
    <message>
        <source>Runs the waiting scans one after the other (F5)</source>
        <translation>Rechnet die wartenden Scans nacheinander (F5)</translation>
    </message>
    <message>
        <source>SART</source>
        <translation>SART</translation>
    </message>
    <message>
        <source>SART and OS-SART: fast iterative reconstruction from ordered subsets of views.</source>
        <translation>SART und OS-SART: schnelle iterative Rekonstruktion aus geordneten Teilmengen der Projektionen.</translation>
    </message>
    <message>
        <source>SIRT</source>
        <translation>SIRT</translation>
    </message>
    <message>
        <source>SIRT, simultaneous iterative reconstruction technique: weighted gradient steps, for any scan.</source>
        <translation>SIRT, simultane iterative Rekonstruktion: gewichtete Gradientenschritte, für jeden Scan.</translation>
    </message>
    <message>
        <source>STL</source>
        <translation>STL</translation>
    </message>
    <message>
        <source>STL counts triangles in 32 bits, and there are %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampled |f|</source>
        <translation>Abgetastetes |f|</translation>
    </message>
    <message>
        <source>Samples per voxel edge</source>
        <translation>Abtastungen je Voxelkante</translation>
    </message>
    <message>
        <source>Saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save a module whose forward() returns a tensor, or a dict with "out"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a movie of the 3D view…</source>
        <translation>Film der 3D-Ansicht speichern…</translation>
    </message>
    <message>
        <source>Save a turntable or a flight through the slices</source>
        <translation>Eine Drehung oder einen Flug durch die Schichten speichern</translation>
    </message>
    <message>
        <source>Save all frames of a scan in the same form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save all measurements as CSV</source>
        <translation>Alle Messungen als CSV speichern</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV speichern…</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>Als SVG speichern…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Save grey values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save integers or floats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as plain text or UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as plain text, or copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it with Orientation 1, for example by ImageMagick: convert IN -auto-orient OUT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it without compression, or with Deflate or LZW, for example by Fiji or tifffile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it without no_grad() and without detach()</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save its frames as images of two dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save labels</source>
        <translation>Labels speichern</translation>
    </message>
    <message>
        <source>Save model</source>
        <translation>Modell speichern</translation>
    </message>
    <message>
        <source>Save one channel a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save one slice a page, for example by tifffile without volumetric=True</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save one volume a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save one volume a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save one volume an entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save parameters</source>
        <translation>Parameter speichern</translation>
    </message>
    <message>
        <source>Save projections</source>
        <translation>Projektionen speichern</translation>
    </message>
    <message>
        <source>Save slice image</source>
        <translation>Schichtbild speichern</translation>
    </message>
    <message>
        <source>Save surfaces</source>
        <translation>Oberflächen speichern</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Save the changes of %1?</source>
        <translation>Die Änderungen von %1 speichern?</translation>
    </message>
    <message>
        <source>Save the frames again without compression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the measurements</source>
        <translation>Messungen speichern</translation>
    </message>
    <message>
        <source>Save the network</source>
        <translation>Netz speichern</translation>
    </message>
    <message>
        <source>Save the numbers</source>
        <translation>Zahlen speichern</translation>
    </message>
    <message>
        <source>Save the pipeline</source>
        <translation>Pipeline speichern</translation>
    </message>
    <message>
        <source>Save the pipeline: the table of the sweep goes next to it</source>
        <translation>Die Pipeline speichern: die Tabelle der Wertereihe kommt daneben</translation>
    </message>
    <message>
        <source>Save the plot</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Save the profile</source>
        <translation>Profil speichern</translation>
    </message>
    <message>
        <source>Save the profile as CSV</source>
        <translation>Profil als CSV speichern</translation>
    </message>
    <message>
        <source>Save the pruned network</source>
        <translation>Das beschnittene Netz speichern</translation>
    </message>
    <message>
        <source>Save the scaling of each channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the scaling of each channel, or leave it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Save the table as CSV</source>
        <translation>Tabelle als CSV speichern</translation>
    </message>
    <message>
        <source>Save the volume as one .nrrd file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the volume instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the volume with the encoding raw or gzip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the voxels as one file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the whole network with torch.jit.save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save volume</source>
        <translation>Volumen speichern</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Saved the network as %1</source>
        <translation>Netz gespeichert als %1</translation>
    </message>
    <message>
        <source>Saved the pruned network as %1, and the report as %2</source>
        <translation>Beschnittenes Netz gespeichert als %1, Bericht als %2</translation>
    </message>
    <message>
        <source>Saves the network, and sets it in the node Network: one step that can be undone</source>
        <translation>Speichert das Netz und setzt es in den Knoten Netz: ein Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Say which it is by Frames are, in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say which it is with the parameter order of the load node (--sinograms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say which it is: --unlabelled NUMBER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say which: --set %1.%2=FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Scale %1 %</source>
        <translation>Größe %1 %</translation>
    </message>
    <message>
        <source>Scale %1 % takes effect at the next start.</source>
        <translation>Die Größe %1 % gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Scale at the centre; 1 keeps it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of %1</source>
        <translation>Skala von %1</translation>
    </message>
    <message>
        <source>Scaled</source>
        <translation>Skaliert</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>Skalen</translation>
    </message>
    <message>
        <source>Scales and translations with a number for each axis can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scales, export</source>
        <translation>Skalen, Export</translation>
    </message>
    <message>
        <source>Scan</source>
        <translation>Scan</translation>
    </message>
    <message>
        <source>Scans and volumes</source>
        <translation>Scans und Volumen</translation>
    </message>
    <message>
        <source>Scans of a folder are queued, and run, when nothing of them has changed for 10 s</source>
        <translation>Scans eines Ordners werden eingereiht und gerechnet, wenn sich 10 s nichts daran geändert hat</translation>
    </message>
    <message>
        <source>Scans that run through the pipeline that is open now</source>
        <translation>Scans, die durch die jetzt offene Pipeline laufen</translation>
    </message>
    <message>
        <source>Scans, volumes and pipelines (%1);;Pipelines (%2);;All files (*)</source>
        <translation>Scans, Volumen und Pipelines (%1);;Pipelines (%2);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Scintillator</source>
        <translation>Szintillator</translation>
    </message>
    <message>
        <source>Scintillator density</source>
        <translation>Dichte des Szintillators</translation>
    </message>
    <message>
        <source>Scintillator thickness</source>
        <translation>Dicke des Szintillators</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Wertung</translation>
    </message>
    <message>
        <source>Score over the points of the sweep</source>
        <translation>Wertung über den Punkten der Wertereihe</translation>
    </message>
    <message>
        <source>Scores (logits)</source>
        <translation>Wertungen (Logits)</translation>
    </message>
    <message>
        <source>Scores a geometry and a reconstruction by the difference of projected and measured views.</source>
        <translation>Bewertet Geometrie und Rekonstruktion nach der Differenz von berechneten und gemessenen Projektionen.</translation>
    </message>
    <message>
        <source>Scores a volume by its mean squared error (MSE) to a reference volume.</source>
        <translation>Bewertet ein Volumen nach seinem mittleren quadratischen Fehler (MSE) zu einem Bezugsvolumen.</translation>
    </message>
    <message>
        <source>Scores a volume by its structural similarity (SSIM) to a reference volume.</source>
        <translation>Bewertet ein Volumen nach seiner strukturellen Ähnlichkeit (SSIM) zu einem Bezugsvolumen.</translation>
    </message>
    <message>
        <source>Scores an image by its gradient energy: sharper edges are better.</source>
        <translation>Bewertet ein Bild nach seiner Gradientenenergie: schärfere Kanten sind besser.</translation>
    </message>
    <message>
        <source>Scores an image by its total variation: streaks, doubled edges and noise make it worse.</source>
        <translation>Bewertet ein Bild nach seiner Totalvariation: Streifen, doppelte Kanten und Rauschen verschlechtern sie.</translation>
    </message>
    <message>
        <source>Scores an image by the entropy of its grey values: few distinct values are better than many.</source>
        <translation>Bewertet ein Bild nach der Entropie seiner Grauwerte: wenige klare Werte sind besser als viele.</translation>
    </message>
    <message>
        <source>Scores labels against a ground truth: F1 and overlap of each class, accuracy, adapted Rand error.</source>
        <translation>Bewertet Labels gegen eine Wahrheit: F1 und Überlappung jeder Klasse, Genauigkeit, angepasster Rand-Fehler.</translation>
    </message>
    <message>
        <source>Scores of labels</source>
        <translation>Wertung von Labels</translation>
    </message>
    <message>
        <source>Scores simulated views by their mean squared difference from measured ones.</source>
        <translation>Bewertet simulierte Projektionen nach ihrer mittleren quadratischen Differenz zu gemessenen.</translation>
    </message>
    <message>
        <source>Scores the geometry of a cone beam by what pairs of views must have in common.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scores the rotation axis of a full turn by the variance of the unfiltered back-projection.</source>
        <translation>Bewertet die Drehachse einer vollen Drehung nach der Varianz der ungefilterten Rückprojektion.</translation>
    </message>
    <message>
        <source>Scores the rotation axis of a half turn of a parallel beam by Fourier-wedge consistency.</source>
        <translation>Bewertet die Drehachse einer halben Drehung im Parallelstrahl nach der Fourier-Keilkonsistenz.</translation>
    </message>
    <message>
        <source>Scores the sharpness (autofocus measure) of a region of an image, whatever the scale of its grey values.</source>
        <translation>Bewertet die Schärfe (Autofokusmaß) eines Bildbereichs, unabhängig von der Skala seiner Grauwerte.</translation>
    </message>
    <message>
        <source>Scratch files</source>
        <translation>Temporäre Dateien</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search %1 nodes…</source>
        <translation>%1 Knoten durchsuchen…</translation>
    </message>
    <message>
        <source>Search in %1</source>
        <translation>In %1 suchen</translation>
    </message>
    <message>
        <source>Search nodes</source>
        <translation>Knoten suchen</translation>
    </message>
    <message>
        <source>Search range</source>
        <translation>Suchbereich</translation>
    </message>
    <message>
        <source>Search scan, parameter, verdict…</source>
        <translation>Scan, Parameter, Urteil suchen…</translation>
    </message>
    <message>
        <source>Search the history</source>
        <translation>Verlauf durchsuchen</translation>
    </message>
    <message>
        <source>Search…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>Second differences</source>
        <translation>Zweite Differenzen</translation>
    </message>
    <message>
        <source>Second less first, -%1 to %1</source>
        <translation>Zweites minus erstes, -%1 bis %1</translation>
    </message>
    <message>
        <source>Second parameter</source>
        <translation>Zweiter Parameter</translation>
    </message>
    <message>
        <source>Second parameter of the landscape</source>
        <translation>Zweiter Parameter der Landschaft</translation>
    </message>
    <message>
        <source>See</source>
        <translation>Sehen</translation>
    </message>
    <message>
        <source>See `tomoloom jobs`; submit what failed with `jobs --again`, or all with --overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See its form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See the reasons in the list.</source>
        <translation>Die Gründe stehen in der Liste.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Seed of all random numbers: the same seed gives the same run.</source>
        <translation>Startwert aller Zufallszahlen: derselbe Startwert ergibt denselben Lauf.</translation>
    </message>
    <message>
        <source>Seed of the weights before training.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Segmentation</source>
        <translation>Segmentierung</translation>
    </message>
    <message>
        <source>Segments a volume into two grey values by a sigmoid, which gradients can pass.</source>
        <translation>Segmentiert ein Volumen in zwei Grauwerte durch ein Sigmoid, das Gradienten durchlässt.</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select Color</source>
        <translation>Farbe wählen</translation>
    </message>
    <message>
        <source>Select a node to see its parameters.</source>
        <translation>Einen Knoten auswählen, um seine Parameter zu sehen.</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select scans first</source>
        <translation>Zuerst Scans auswählen</translation>
    </message>
    <message>
        <source>Selects every n-th view of a scan by angle, or all the others.</source>
        <translation>Wählt jede n-te Projektion eines Scans nach Winkel, oder alle anderen.</translation>
    </message>
    <message>
        <source>Semantic segmentation: labels all voxels by a network that is a TorchScript program.</source>
        <translation>Semantische Segmentierung: segmentiert alle Voxel mit einem Netz, das ein TorchScript-Programm ist.</translation>
    </message>
    <message>
        <source>Semantic segmentation: labels all voxels by a trained convolutional network (CNN).</source>
        <translation>Semantische Segmentierung: segmentiert alle Voxel mit einem trainierten Faltungsnetz (CNN).</translation>
    </message>
    <message>
        <source>Semi-transparent volume rendering (I)</source>
        <translation>Halbdurchsichtige Volumendarstellung (I)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <source>Send to Slurm…</source>
        <translation>An Slurm senden…</translation>
    </message>
    <message>
        <source>Sender</source>
        <translation>Sender</translation>
    </message>
    <message>
        <source>Sense of rotation</source>
        <translation>Drehsinn</translation>
    </message>
    <message>
        <source>Separation</source>
        <translation>Trennung</translation>
    </message>
    <message>
        <source>Separator and polymer blue and transparent, electrodes copper, metal white</source>
        <translation>Separator und Polymer blau und durchscheinend, Elektroden kupfern, Metall weiß</translation>
    </message>
    <message>
        <source>Set "stroke" to one that is there, or restore the file from a copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set HOME, or XDG_DATA_HOME to a folder of yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set Learns from to slices across z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set TMPDIR to a folder with space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set axis_to_detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set geometry</source>
        <translation>Geometrie setzen</translation>
    </message>
    <message>
        <source>Set geometry gives the views %1 degrees.</source>
        <translation>Geometrie setzen gibt den Projektionen %1 Grad.</translation>
    </message>
    <message>
        <source>Set it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set it in the pipeline, or give a start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set it to 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set it to auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set magnifications after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the angles in the load or geometry node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the axis</source>
        <translation>Achse setzen</translation>
    </message>
    <message>
        <source>Set the axis by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the compactness to 0, or no lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the compactness to 0, or switch the lines off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the distance from sample to detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the drifts to 0, or leave contrast and labels out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the energy in keV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the features of this node to those of the model, or train a new one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the pixel size of the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the result of the flat-field node to transmission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the source shift after the axis was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the tilt after the axis was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set this node as the file says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set to 0</source>
        <translation>Auf 0 setzen</translation>
    </message>
    <message>
        <source>Sets the file of %1</source>
        <translation>Setzt die Datei von %1</translation>
    </message>
    <message>
        <source>Sets the geometry: rotation axis (centre of rotation), tilt, angles and distances; no pixel is resampled.</source>
        <translation>Setzt die Geometrie: Drehachse (Rotationszentrum), Neigung, Winkel und Abstände; kein Pixel wird neu abgetastet.</translation>
    </message>
    <message>
        <source>Settings or results of learning differ</source>
        <translation>Einstellungen oder Ergebnisse des Lernens unterscheiden sich</translation>
    </message>
    <message>
        <source>Settled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several values</source>
        <translation>Mehrere Werte</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape of the objects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of class</source>
        <translation>Anteil der Klasse</translation>
    </message>
    <message>
        <source>Share of each correction that is added.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of pores that do not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of pores that reach the border.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of pores, 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the circle inscribed in a slice; 1 touches its sides.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the filters that is left at the end.</source>
        <translation>Anteil der Filter, der am Ende übrig ist.</translation>
    </message>
    <message>
        <source>Share of the fixed volume that lies in the moving one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the free space</source>
        <translation>Anteil am freien Platz</translation>
    </message>
    <message>
        <source>Share of the labelled voxels for validation: the network is not trained on them, but scored by them.</source>
        <translation>Anteil der Voxel mit Labels für die Validierung: auf ihnen wird das Netz nicht trainiert, sondern bewertet.</translation>
    </message>
    <message>
        <source>Share of the measured contrast that the model predicts, noise left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the photons at each energy behind the filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the pixels that always read the dark level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the pixels whose gain changed by some 5 % after the flats: stripes in sinograms, rings in slices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the voxels below the output 'high'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the voxels below the output 'low'.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the voxels with the number of the truth.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of triangles</source>
        <translation>Anteil der Dreiecke</translation>
    </message>
    <message>
        <source>Shares of the loss of bands of slices, of rows and of columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shares of the loss of bands of the angle between views, and of views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shares of the loss of bands of views, of rows and of columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sharpness</source>
        <translation>Schärfe</translation>
    </message>
    <message>
        <source>Sharpness of a region</source>
        <translation>Schärfe eines Bereichs</translation>
    </message>
    <message>
        <source>Shepp-Logan</source>
        <translation>Shepp-Logan</translation>
    </message>
    <message>
        <source>Shepp-Logan 3D</source>
        <translation>Shepp-Logan 3D</translation>
    </message>
    <message>
        <source>Shepp-Logan, easy contrast</source>
        <translation>Shepp-Logan, leichter Kontrast</translation>
    </message>
    <message>
        <source>Shepp-Logan, original contrast</source>
        <translation>Shepp-Logan, ursprünglicher Kontrast</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Shift of the image in each view towards larger columns; empty = as the scan has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift of the image in each view upwards (+z); empty = as the scan has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift, rotation and stretch: a row of values, one of sigmas, one of what is left open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts alone can be used: 1 0 0 1 before them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts along columns</source>
        <translation>Verschiebungen entlang der Spalten</translation>
    </message>
    <message>
        <source>Shifts along rows</source>
        <translation>Verschiebungen entlang der Zeilen</translation>
    </message>
    <message>
        <source>Shifts along the rotation axis, in addition to those along the rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts between frames need at least two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts between frames need at least two of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts between two frames that reach this limit are reported as railed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts of views</source>
        <translation>Verschiebungen der Projektionen</translation>
    </message>
    <message>
        <source>Shifts of views: ignore, in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts that differ over the image, such as by a sample that bends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shifts that reach this limit are reported as railed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short scan (Parker)</source>
        <translation>Kurzer Scan (Parker)</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Shorten it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show %1 over the slices and in 3D</source>
        <translation>%1 über den Schichten und in 3D zeigen</translation>
    </message>
    <message>
        <source>Show &amp;hidden files</source>
        <translation>&amp;Versteckte Dateien zeigen</translation>
    </message>
    <message>
        <source>Show Details...</source>
        <translation>Einzelheiten…</translation>
    </message>
    <message>
        <source>Show all four panes, or only those that suit the data</source>
        <translation>Alle vier Felder zeigen, oder nur die zu den Daten passenden</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show everything	0</source>
        <translation>Alles zeigen	0</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Show or hide labels</source>
        <translation>Labels zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>Show the difference</source>
        <translation>Unterschied zeigen</translation>
    </message>
    <message>
        <source>Show the live scan</source>
        <translation>Laufende Aufnahme zeigen</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>Show the result</source>
        <translation>Ergebnis zeigen</translation>
    </message>
    <message>
        <source>Show the slices of the other panes in the volume (L)</source>
        <translation>Die Schichten der anderen Felder im Volumen zeigen (L)</translation>
    </message>
    <message>
        <source>Show the surface of one value (I)</source>
        <translation>Oberfläche eines Wertes zeigen (I)</translation>
    </message>
    <message>
        <source>Show the surfaces of the classes of the labels on screen (V)</source>
        <translation>Oberflächen der Klassen der gezeigten Labels (V)</translation>
    </message>
    <message>
        <source>Show the voxels that were computed (Enter)</source>
        <translation>Die berechneten Voxel zeigen (Enter)</translation>
    </message>
    <message>
        <source>Show: %1</source>
        <translation>Zeigt: %1</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>Zeigt</translation>
    </message>
    <message>
        <source>Shows %1 with its unsaved changes</source>
        <translation>Zeigt %1 mit den ungespeicherten Änderungen</translation>
    </message>
    <message>
        <source>Shows the values of an earlier step in the views. The pipeline stays as it is.</source>
        <translation>Zeigt die Werte eines früheren Schritts in den Ansichten. Die Pipeline bleibt, wie sie ist.</translation>
    </message>
    <message>
        <source>Shows the voxels that were computed (Enter)</source>
        <translation>Zeigt die berechneten Voxel (Enter)</translation>
    </message>
    <message>
        <source>Side</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Side of the square window, odd; a zinger must cover less than half of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulate a circular orbit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulate scan</source>
        <translation>Scan simulieren</translation>
    </message>
    <message>
        <source>Simulated minus measured views, on the chosen scale: the loss is its mean square.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulated views, which are scored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simulates a scan of a known phantom with uneven flats, darks, photon noise and a misplaced axis.</source>
        <translation>Simuliert den Scan eines bekannten Phantoms mit ungleichmäßigen Hellbildern, Dunkelbildern, Photonenrauschen und versetzter Achse.</translation>
    </message>
    <message>
        <source>Single pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sinogram</source>
        <translation>Sinogramm</translation>
    </message>
    <message>
        <source>Sinograms</source>
        <translation>Sinogramme</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Size of the integers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the object as a share of the detector width; sets the slope of the wedge.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skeleton</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skeleton by thinning: centre lines and surfaces, one voxel thick, of all that is labelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Slice %1 of %2</source>
        <translation>Schicht %1 von %2</translation>
    </message>
    <message>
        <source>Slice before the last step</source>
        <translation>Schicht vor dem letzten Schritt</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Slices [z, y, x] fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices across the rotation axis x = y = 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices across z</source>
        <translation>Schichten quer zu z</translation>
    </message>
    <message>
        <source>Slices are missing, or several have one number: complete the series</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices are missing, or several slices have one position: complete the series</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices are this many voxels wide and high, at most as many as the field of view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices are this many voxels wide and high.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices count from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices end in .tif or .tiff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices for nine values</source>
        <translation>Schichten für neun Werte</translation>
    </message>
    <message>
        <source>Slices for other programs</source>
        <translation>Schichten für andere Programme</translation>
    </message>
    <message>
        <source>Slices in place</source>
        <translation>Schichten an ihrem Ort</translation>
    </message>
    <message>
        <source>Slices of the selected step, live: each change shows at once, coarse, then sharp. The wheel steps through slices; the buttons over a view measure and paint.</source>
        <translation>Schichten des gewählten Schritts, live: jede Änderung erscheint sofort, grob, dann scharf. Das Rad blättert durch die Schichten; die Knöpfe über einer Ansicht messen und malen.</translation>
    </message>
    <message>
        <source>Slices of three orientations, averaged</source>
        <translation>Schichten dreier Richtungen, gemittelt</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Slurm job %1</source>
        <translation>Slurm-Auftrag %1</translation>
    </message>
    <message>
        <source>Slurm's program sbatch is not installed here: use a machine of the cluster</source>
        <translation>Das Slurm-Programm sbatch ist hier nicht installiert: einen Rechner des Clusters benutzen</translation>
    </message>
    <message>
        <source>Smaller is better</source>
        <translation>Kleiner ist besser</translation>
    </message>
    <message>
        <source>Smaller is steadier and slower.</source>
        <translation>Kleiner ist ruhiger und langsamer.</translation>
    </message>
    <message>
        <source>Smaller transmission is raised to this before the logarithm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smallest transmission</source>
        <translation>Kleinste Transmission</translation>
    </message>
    <message>
        <source>Smallest value; not differentiable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoothed</source>
        <translation>Geglättet</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Smoothing in units of the noise; larger is smoother.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Snap to grid</source>
        <translation>Am Raster einrasten</translation>
    </message>
    <message>
        <source>So many seconds of views before the record begins are in it as well, as far as they are in memory. Flats and darks of before always are.</source>
        <translation>So viele Sekunden Projektionen vor dem Beginn der Aufzeichnung sind auch darin, soweit sie im Speicher sind. Frühere Hell- und Dunkelbilder sind es immer.</translation>
    </message>
    <message>
        <source>So many views are reconstructed together, for example those of half a turn.</source>
        <translation>So viele Projektionen werden zusammen rekonstruiert, zum Beispiel die einer halben Drehung.</translation>
    </message>
    <message>
        <source>Soft Otsu</source>
        <translation>Weiches Otsu</translation>
    </message>
    <message>
        <source>Soft edge</source>
        <translation>Weicher Rand</translation>
    </message>
    <message>
        <source>Soft masks by Otsu's thresholds, found in the volume of each run, with gradients that pass through both.</source>
        <translation>Weiche Masken aus Otsus Schwellen, in jedem Lauf im Volumen gefunden, mit Gradienten durch beide.</translation>
    </message>
    <message>
        <source>Soft threshold</source>
        <translation>Weiche Schwelle</translation>
    </message>
    <message>
        <source>Soft tissue as a reddish veil, bone opaque</source>
        <translation>Weichgewebe als rötlicher Schleier, Knochen deckend</translation>
    </message>
    <message>
        <source>Softness of the step, in the unit of the volume: 76 % of the step lie within twice the width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some changes take effect at the next start.</source>
        <translation>Einige Änderungen gelten ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Some labelled voxels of each class, at least two classes; 0 is not labelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some of its views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some scanners move the sample or the detector between views and store by how many pixels (Zeiss .txrm). The geometry takes these shifts into account; no pixel is resampled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort the energies; each may be there once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorting</source>
        <translation>Sortieren</translation>
    </message>
    <message>
        <source>Sorting for small stripes; 'all' for scans with every kind of stripe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source shift along rows</source>
        <translation>Quellversatz entlang der Zeilen</translation>
    </message>
    <message>
        <source>Source shift upwards</source>
        <translation>Quellversatz nach oben</translation>
    </message>
    <message>
        <source>Source to axis</source>
        <translation>Quelle bis Achse</translation>
    </message>
    <message>
        <source>Source to detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spatial (Ram-Lak)</source>
        <translation>Räumlich (Ram-Lak)</translation>
    </message>
    <message>
        <source>Spectral correction</source>
        <translation>Spektrale Korrektur</translation>
    </message>
    <message>
        <source>Spectral projection</source>
        <translation>Spektrale Projektion</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>Spectrum of a polychromatic beam behind a filter, and its effective energy in keV.</source>
        <translation>Spektrum eines polychromatischen Strahls hinter einem Filter, und seine effektive Energie in keV.</translation>
    </message>
    <message>
        <source>Spectrum of an X-ray tube of as many kV, by Kramers' law: voltage / energy - 1 photons, from 5 keV on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spectrum of the beam</source>
        <translation>Spektrum des Strahls</translation>
    </message>
    <message>
        <source>Spectrum…</source>
        <translation>Spektrum…</translation>
    </message>
    <message>
        <source>Split it into several pipelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split it into several pipelines, or raise the limit of memory (ulimit -v)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spread evenly across</source>
        <translation>Waagerecht verteilen</translation>
    </message>
    <message>
        <source>Spread evenly down</source>
        <translation>Senkrecht verteilen</translation>
    </message>
    <message>
        <source>Spread the rows over the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Squared differences of neighbours over the variance, the same with second differences (finer detail, more noise), or the variance over the squared mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Squared error of a volume</source>
        <translation>Quadratischer Fehler eines Volumens</translation>
    </message>
    <message>
        <source>Squared error of views</source>
        <translation>Quadratischer Fehler der Projektionen</translation>
    </message>
    <message>
        <source>Standard deviation of Gaussian noise, as a share of the mean counts of the empty beam.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of a Gaussian along the rows: offsets that are smooth on this scale are not subtracted. 0 = all are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of a Gaussian filter before the segmentation, in voxels: against noise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian before volumes are compared, in voxels of the level.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian that smooths across lines. Wider ones have less noise but bias the result more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian that smooths the volume before its gradient is taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian, in voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the Gaussian: about the blur to be removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the noise in the unit of the data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the noise, as a share of the attenuation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the thickness.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the weights in space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation of the weights in value, in the unit of the data: differences much larger are edges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviations of the Gaussians, in voxels along x; along y and z they are as long in mm. Each reaches four times as far; one and a half times that for the structure tensor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from the centres of the volumes or of their mass, or give a table to start from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start of the search, if no table gives it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start queue</source>
        <translation>Warteschlange starten</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>State of the export</source>
        <translation>Zustand des Exports</translation>
    </message>
    <message>
        <source>State of the stream</source>
        <translation>Zustand der Aufnahme</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Statistics of a region</source>
        <translation>Statistik eines Bereichs</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
    <message>
        <source>Steepness of the steps: three quarters of a step lie within (threshold - least value) / steepness. The steeper, the closer to a mask, and the fewer voxels have a gradient.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Step %1: %2, %3</source>
        <translation>Schritt %1: %2, %3</translation>
    </message>
    <message>
        <source>Step between the views used: 2 uses every other view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step between two integers, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step between views</source>
        <translation>Schritt zwischen Projektionen</translation>
    </message>
    <message>
        <source>Step of angles</source>
        <translation>Winkelschritt</translation>
    </message>
    <message>
        <source>Step of the run that the views show</source>
        <translation>Schritt des Laufs, den die Ansichten zeigen</translation>
    </message>
    <message>
        <source>Step of the second parameter</source>
        <translation>Schrittweite des zweiten Parameters</translation>
    </message>
    <message>
        <source>Step of the sweep</source>
        <translation>Schrittweite der Wertereihe</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps are equal in the value, or in its logarithm, which keeps it positive.</source>
        <translation>Schritte sind gleich im Wert oder in seinem Logarithmus, was ihn positiv hält.</translation>
    </message>
    <message>
        <source>Steps in each</source>
        <translation>Schritte in jeder</translation>
    </message>
    <message>
        <source>Steps of smoothing after each: 1 to 4 are usual.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps of the pipeline</source>
        <translation>Schritte der Pipeline</translation>
    </message>
    <message>
        <source>Stiffness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stitch heights</source>
        <translation>Höhen zusammenfügen</translation>
    </message>
    <message>
        <source>Stitches a half-acquisition scan: 360 degrees with an off-centre axis become 180 degrees of a wider detector.</source>
        <translation>Fügt einen Scan mit halber Erfassung zusammen: aus 360 Grad mit versetzter Achse werden 180 Grad eines breiteren Detektors.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop   Esc Esc</source>
        <translation>Anhalten   Esc Esc</translation>
    </message>
    <message>
        <source>Stop painting</source>
        <translation>Malen beenden</translation>
    </message>
    <message>
        <source>Stop the movie first.</source>
        <translation>Zuerst den Film anhalten.</translation>
    </message>
    <message>
        <source>Stop the queue first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Lauf anhalten</translation>
    </message>
    <message>
        <source>Stop watching</source>
        <translation>Beobachten beenden</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Stopped: nothing was written.</source>
        <translation>Angehalten: nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>Stopping: the checkpoint is written…</source>
        <translation>Hält an: der Zwischenstand wird geschrieben…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an…</translation>
    </message>
    <message>
        <source>Stops receiving frames. A recording in progress is ended.</source>
        <translation>Empfängt keine Bilder mehr. Eine laufende Aufzeichnung wird beendet.</translation>
    </message>
    <message>
        <source>Straighten the views first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strain of a displacement: the Green-Lagrange tensor and the change of volume at each voxel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strands and spheres</source>
        <translation>Stränge und Kugeln</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Strength of the uneven beam and of the detector's fixed pattern.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stripe removal</source>
        <translation>Streifen entfernen</translation>
    </message>
    <message>
        <source>Stripe removal, Fourier-wavelet</source>
        <translation>Streifen entfernen, Fourier-Wavelet</translation>
    </message>
    <message>
        <source>Stripes</source>
        <translation>Streifen</translation>
    </message>
    <message>
        <source>Stripes up to about 2^levels columns wide are removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stroke</source>
        <translation>Strich</translation>
    </message>
    <message>
        <source>Structural similarity</source>
        <translation>Strukturelle Ähnlichkeit</translation>
    </message>
    <message>
        <source>Structure tensor</source>
        <translation>Strukturtensor</translation>
    </message>
    <message>
        <source>Submit again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Submit again with --overwrite, or restore the submitted script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subsets</source>
        <translation>Teilmengen</translation>
    </message>
    <message>
        <source>Subtracted from the values, as when the network was trained; one number, or one for each volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggested. %1</source>
        <translation>Vorgeschlagen. %1</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Sum of both</source>
        <translation>Summe beider</translation>
    </message>
    <message>
        <source>Sum over the views, or their mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Surface</source>
        <translation>Oberfläche</translation>
    </message>
    <message>
        <source>Surfaces</source>
        <translation>Oberflächen</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Wertereihe</translation>
    </message>
    <message>
        <source>Sweep %1</source>
        <translation>Wertereihe von %1</translation>
    </message>
    <message>
        <source>Sweep about the value below</source>
        <translation>Wertereihe um den Wert unten</translation>
    </message>
    <message>
        <source>Sweep again</source>
        <translation>Erneut durchlaufen</translation>
    </message>
    <message>
        <source>Sweep over parameters</source>
        <translation>Wertereihe über Parameter</translation>
    </message>
    <message>
        <source>Sweep parameters</source>
        <translation>Parameter durchlaufen</translation>
    </message>
    <message>
        <source>Sweep this…</source>
        <translation>Diesen durchlaufen…</translation>
    </message>
    <message>
        <source>Sweep what drives it, or cut the link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sweep…</source>
        <translation>Wertereihe…</translation>
    </message>
    <message>
        <source>Swipe</source>
        <translation>Wischen</translation>
    </message>
    <message>
        <source>Symmetry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TIFF</source>
        <translation>TIFF</translation>
    </message>
    <message>
        <source>TIFF frames hold no datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TIFF stack</source>
        <translation>TIFF-Stapel</translation>
    </message>
    <message>
        <source>Tab adds a node</source>
        <translation>Tab fügt einen Knoten hinzu</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Table in…</source>
        <translation>Tabelle laden…</translation>
    </message>
    <message>
        <source>Table of objects</source>
        <translation>Tabelle der Objekte</translation>
    </message>
    <message>
        <source>Table out…</source>
        <translation>Tabelle schreiben…</translation>
    </message>
    <message>
        <source>Table · %1</source>
        <translation>Tabelle · %1</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Tables hold 1 to 200 keV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables hold 1 to 200 keV; the lowest energy must be below the voltage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables hold numbers below a line of names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take %1 from the sweep</source>
        <translation>%1 aus der Wertereihe übernehmen</translation>
    </message>
    <message>
        <source>Take another node instead, or another objective</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the best</source>
        <translation>Bestes übernehmen</translation>
    </message>
    <message>
        <source>Take the best so far</source>
        <translation>Bisher Bestes übernehmen</translation>
    </message>
    <message>
        <source>Taking the best network…</source>
        <translation>Das beste Netz wird übernommen…</translation>
    </message>
    <message>
        <source>Taking the best point…</source>
        <translation>Der beste Punkt wird übernommen…</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Text file with one angle per view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Laplacian of the smoothed volume: blobs and lines.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Outline shows the same pipeline as a list.</source>
        <translation>Die Gliederung zeigt dieselbe Pipeline als Liste.</translation>
    </message>
    <message>
        <source>The STAR file with the directions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The average of each burst</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The average of each burst, or its aligned frames.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The axis is searched this far on either side of the middle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The axis is searched this far on either side of the middle; an optimum at the end of the range is reported as railed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The axis must lie on the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The back-projection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The balloon works where the edge map, which is 1 without edges, exceeds this over the balloon's strength.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best value lies at the end of the search range: widen the range.</source>
        <translation>Der beste Wert liegt am Ende des Suchbereichs: den Bereich erweitern.</translation>
    </message>
    <message>
        <source>The calibrated volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The camera has stopped: no frame for %1. Receiving resumes when frames arrive again.</source>
        <translation>Die Kamera hat angehalten: kein Bild seit %1. Der Empfang geht weiter, wenn wieder Bilder kommen.</translation>
    </message>
    <message>
        <source>The class of each voxel: 0 and 1, or 0 to the number of classes less 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The corrected views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data distinguish this value from its neighbours.</source>
        <translation>Die Daten unterscheiden diesen Wert von seinen Nachbarn.</translation>
    </message>
    <message>
        <source>The data do not determine this value.</source>
        <translation>Die Daten bestimmen diesen Wert nicht.</translation>
    </message>
    <message>
        <source>The differences: a row per pair of views, a column per plane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The direction and shift of each view of a parallel beam, as RELION and other programs have them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk has no room for all results: free some, or choose another folder</source>
        <translation>Die Platte hat nicht für alle Ergebnisse Platz: einige freigeben oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>The distances [mm].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ending follows the format.</source>
        <translation>Die Endung folgt dem Format.</translation>
    </message>
    <message>
        <source>The equalised volume, in the range of grey values of the input.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file %1 and this window</source>
        <translation>Die Datei %1 und dieses Fenster</translation>
    </message>
    <message>
        <source>The file exists</source>
        <translation>Die Datei gibt es schon</translation>
    </message>
    <message>
        <source>The file is complete, and has its name, once its last frames are written.</source>
        <translation>Die Datei ist vollständig und hat ihren Namen, sobald die letzten Bilder geschrieben sind.</translation>
    </message>
    <message>
        <source>The file is damaged or incomplete</source>
        <translation>Die Datei ist beschädigt oder unvollständig</translation>
    </message>
    <message>
        <source>The file is damaged or incomplete (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or incomplete: copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or incomplete: copy it again from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or not STAR: write it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged: copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged: copy it again (HDF5 says: %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged: copy it again from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is incomplete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is probably damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is probably damaged; if not, rewrite it with smaller chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is too large for a list of numbers.</source>
        <translation>Die Datei ist zu groß für eine Liste von Zahlen.</translation>
    </message>
    <message>
        <source>The file is too large for a spectrum.</source>
        <translation>Die Datei ist zu groß für ein Spektrum.</translation>
    </message>
    <message>
        <source>The file is truncated or damaged: copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is truncated: copy it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is truncated: copy it again from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file no longer contains a pipeline: %1</source>
        <translation>Die Datei enthält keine Pipeline mehr: %1</translation>
    </message>
    <message>
        <source>The file of strokes; created by the first stroke.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filtered views; flats and darks are filtered too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filtered volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first %1 of %2 numbers.</source>
        <translation>Die ersten %1 von %2 Zahlen.</translation>
    </message>
    <message>
        <source>The first level, in voxels; levels with fewer than 16 voxels along an axis are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first view that is picked; views count from 0, by angle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 is not watched: it is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 is watched again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder of the results</source>
        <translation>Der Ordner der Ergebnisse</translation>
    </message>
    <message>
        <source>The form of a step</source>
        <translation>Das Formular eines Schritts</translation>
    </message>
    <message>
        <source>The format of the file, as of Save volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The format of the file; by its name, which then ends in .stl, .ply or .obj, or a given one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The frames, in the order they were taken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The generalised form keeps more detail at the pixel size.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The gradient at which the border has half its speed, in the unit of the volume per voxel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The gradient of the objective against central differences, for every marked parameter</source>
        <translation>Der Gradient der Zielfunktion gegen zentrale Differenzen, für jeden markierten Parameter</translation>
    </message>
    <message>
        <source>The graphics driver has stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graphics driver has stopped. Volumes are shown again once it answers: move the view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The half turn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is damaged, or the pixels are of another kind: copy or write it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is damaged, or was changed by hand: correct one of the two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is damaged: copy or write the file again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is damaged: write the file again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is wrong, or the pixels are compressed: save the frame again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The header is wrong: correct Dim_1, Dim_2 or DataType, or save the frame again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The histogram of the values is being computed.</source>
        <translation>Das Histogramm der Werte wird berechnet.</translation>
    </message>
    <message>
        <source>The histogram of the values is being computed…</source>
        <translation>Das Histogramm der Werte wird berechnet…</translation>
    </message>
    <message>
        <source>The histogram that the threshold was found from: values and numbers of voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The history is off.</source>
        <translation>Der Verlauf ist ausgeschaltet.</translation>
    </message>
    <message>
        <source>The label of unlabelled voxels, which are ignored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The labels to write.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The labels, at the position of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The labels, at the position that the file states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The labels: a file or folder of any format of volumes, with integers that are not scaled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The larger, the weaker may an edge be: the edge map is 1 / sqrt(1 + alpha |gradient|).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The largest deviation is %1 of the largest gradient.</source>
        <translation>Die größte Abweichung ist %1 des größten Gradienten.</translation>
    </message>
    <message>
        <source>The last before each view</source>
        <translation>Das letzte vor jeder Projektion</translation>
    </message>
    <message>
        <source>The last level: 2 is eight times faster than 1, and half as accurate. It keeps 4 voxels along each axis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last stroke that counts, with all that it was painted over; 0 = nothing painted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last view appears here</source>
        <translation>Die letzte Projektion erscheint hier</translation>
    </message>
    <message>
        <source>The layout of this file is not known. Choose the datasets of the scan; files of the same layout will open in the same way.</source>
        <translation>Die Anordnung dieser Datei ist nicht bekannt. Die Datensätze des Scans wählen; gleich angeordnete Dateien öffnen sich dann ebenso.</translation>
    </message>
    <message>
        <source>The loss still falls at the end of the range: widen the range.</source>
        <translation>Der Verlust fällt am Ende des Bereichs noch: den Bereich erweitern.</translation>
    </message>
    <message>
        <source>The lower end must be below the upper one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The magnitude of the gradient of the smoothed volume: edges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map of the class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask that is divided: all numbers but 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask, or the number of the class, with soft steps between; no unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The material has an attenuation: give one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The materials, from 1 in rising order of attenuation; 0 is air.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The middle slice will show how much is clipped.</source>
        <translation>Die mittlere Schicht wird zeigen, wie viel abgeschnitten wird.</translation>
    </message>
    <message>
        <source>The model to write.</source>
        <translation>Das zu schreibende Modell.</translation>
    </message>
    <message>
        <source>The moment of the output truth of a body that moves: 0 is the first view, 1 the last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most probable class of each voxel, counted from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most probable class of each voxel, with the class names and colours of the strokes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most probable class of each voxel, with the network's table of classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The movie: a TIFF of many pages, an .mrc, .mrcs or .st file, a scan of any format, or a folder of movies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The moving volume on the grid of the fixed one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The names come from what this node reads: change them there.</source>
        <translation>Die Namen stammen aus dem, was dieser Knoten liest: dort ändern.</translation>
    </message>
    <message>
        <source>The network is trained: macro F1 %1</source>
        <translation>Das Netz ist trainiert: Makro-F1 %1</translation>
    </message>
    <message>
        <source>The network of the node Network that is selected, or any other one.</source>
        <translation>Das Netz des gewählten Knotens Netz, oder irgendein anderes.</translation>
    </message>
    <message>
        <source>The newest values become those of the pipeline, as a step that can be undone.</source>
        <translation>Die neuesten Werte werden die der Pipeline, als Schritt, der sich rückgängig machen lässt.</translation>
    </message>
    <message>
        <source>The nodes axis.NAME are listed by: tomoloom nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number 0</source>
        <translation>Die Zahl 0</translation>
    </message>
    <message>
        <source>The number of the basin of each voxel, 0 outside of the mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the class whose map is the largest; of equal ones the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the class; 0 is the background, whose thickness is that of the spaces between objects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the object of each voxel, 0 in the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the pores; 0 is the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the region of each voxel, 0 where none grew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of the seeds that each voxel belongs to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number that the cavities get.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number, in the unit below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number.</source>
        <translation>Die Zahl.</translation>
    </message>
    <message>
        <source>The numbers of the voxels that remain, else 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The numbers painted, else 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The object from its beginning to its highest values: most of it translucent, what is rare and dense opaque</source>
        <translation>Das Objekt vom Beginn bis zu seinen höchsten Werten: das meiste durchscheinend, Seltenes und Dichtes deckend</translation>
    </message>
    <message>
        <source>The objective hardly depends on this value.</source>
        <translation>Die Zielfunktion hängt kaum von diesem Wert ab.</translation>
    </message>
    <message>
        <source>The others are missing, or in other files: save all in one file, or write the description again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The output exists</source>
        <translation>Die Ausgabe gibt es schon</translation>
    </message>
    <message>
        <source>The palette lists them under Alignment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part of the object that does not deform: rays that miss it are left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part that is kept, with the same numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part that is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The phantom itself, averaged over voxels: what a perfect reconstruction gives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The picked views</source>
        <translation>Die ausgewählten Projektionen</translation>
    </message>
    <message>
        <source>The picked views, or those that are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pipeline</source>
        <translation>Die Pipeline</translation>
    </message>
    <message>
        <source>The pipeline has no scan</source>
        <translation>Die Pipeline hat keinen Scan</translation>
    </message>
    <message>
        <source>The pipeline is not ready: see the states of its nodes.</source>
        <translation>Die Pipeline ist nicht bereit: siehe die Zustände ihrer Knoten.</translation>
    </message>
    <message>
        <source>The pipeline loads no scan: choose one first</source>
        <translation>Die Pipeline lädt keinen Scan: zuerst einen wählen</translation>
    </message>
    <message>
        <source>The probability of each class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The probability of each class: the mean of the trees.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The probability of each class; the first one lies between objects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program tomoloom is not installed</source>
        <translation>Das Programm tomoloom ist nicht installiert</translation>
    </message>
    <message>
        <source>The program tomoloom, which the jobs run, is not installed here</source>
        <translation>Das Programm tomoloom, das die Aufträge rechnet, ist hier nicht installiert</translation>
    </message>
    <message>
        <source>The projections: frame × row × column.</source>
        <translation>Die Projektionen: Bild × Zeile × Spalte.</translation>
    </message>
    <message>
        <source>The queue has ended: %1 scans</source>
        <translation>Die Warteschlange ist fertig: %1 Scans</translation>
    </message>
    <message>
        <source>The queue has ended: %1 scans, of which %2 failed</source>
        <translation>Die Warteschlange ist fertig: %1 Scans, davon %2 gescheitert</translation>
    </message>
    <message>
        <source>The queue has ended: one scan</source>
        <translation>Die Warteschlange ist fertig: ein Scan</translation>
    </message>
    <message>
        <source>The queue runs. The scan that is being reconstructed waits again; nothing of it is kept.</source>
        <translation>Die Warteschlange läuft. Der Scan, der gerade rekonstruiert wird, wartet dann wieder; nichts davon bleibt.</translation>
    </message>
    <message>
        <source>The queue runs: stop it before another one is opened</source>
        <translation>Die Warteschlange läuft: anhalten, bevor eine andere geöffnet wird</translation>
    </message>
    <message>
        <source>The rotated views.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rotated volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same detector with more columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same grid, values between below and above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same inside the circle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same pixels with the geometry found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same pixels with the new geometry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same pixels, with the axis found in the geometry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same pixels, with the geometry corrected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed gives the same numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same slice about nine positions of the axis, with scores.</source>
        <translation>Dieselbe Schicht für neun Lagen der Achse, mit Wertungen.</translation>
    </message>
    <message>
        <source>The same volume on other voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same with a derivative of twice the width; learning adds what that changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same with an even background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same with repaired pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same without rings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same without small objects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same without stripes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same without the offsets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same without zingers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same, with the cavities labelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan as an ideal lens would have shown it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan does not give it: set it here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan has no dark frames here</source>
        <translation>Der Scan hat hier keine Dunkelbilder</translation>
    </message>
    <message>
        <source>The scan has no flat fields here</source>
        <translation>Der Scan hat hier keine Hellbilder</translation>
    </message>
    <message>
        <source>The scan holds no angles: 0 to 180 degrees in equal steps are guessed, the end not included.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan holds no pixel size: 1 mm is guessed, so lengths and attenuation are per pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan is not whole: copy it again from its source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan waits again (R)</source>
        <translation>Der Scan wartet wieder (R)</translation>
    </message>
    <message>
        <source>The scan was not written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan was prepared but not recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scan: an HDF5, .xtekct, .log, .pca or .txrm file, or a folder of TIFF or EDF frames (or one of them).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scans are %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected run, and the forecast of the queue</source>
        <translation>Der gewählte Lauf und die Vorhersage der Warteschlange</translation>
    </message>
    <message>
        <source>The selected scans run through the pipeline that is open (Q)</source>
        <translation>Die gewählten Scans laufen durch die offene Pipeline (Q)</translation>
    </message>
    <message>
        <source>The sender is done</source>
        <translation>Der Sender ist fertig</translation>
    </message>
    <message>
        <source>The sender's kind of socket, and what happens when this computer is too slow.</source>
        <translation>Die Art der Verbindung des Senders, und was geschieht, wenn dieser Rechner zu langsam ist.</translation>
    </message>
    <message>
        <source>The sender, and that of the log, connect to these addresses; otherwise they wait there.</source>
        <translation>Der Sender und der des Protokolls verbinden sich mit diesen Adressen; sonst warten sie dort.</translation>
    </message>
    <message>
        <source>The shape of the neighbourhood; in single slices a disc or a square.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share in each slice, by its position along z.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The share of the detector rows that an iteration sees.</source>
        <translation>Der Anteil der Detektorzeilen, den eine Iteration sieht.</translation>
    </message>
    <message>
        <source>The share of the views that an iteration sees.</source>
        <translation>Der Anteil der Projektionen, den eine Iteration sieht.</translation>
    </message>
    <message>
        <source>The sinograms, one detector row each.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The slice</source>
        <translation>Die Schicht</translation>
    </message>
    <message>
        <source>The slices, one for each sinogram.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smoothed volume less a finer one, of 0.66 of the standard deviation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smoothed volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smoothed volume: colour and intensity.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The spatial kernel keeps the mean of a slice, as ASTRA and nabu do; the sampled ramp loses a part of it, as TomoPy's gridrec does. Use it for comparisons only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sum, on the same grid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The surfaces of the labels</source>
        <translation>Die Oberflächen der Labels</translation>
    </message>
    <message>
        <source>The sweep</source>
        <translation>Die Wertereihe</translation>
    </message>
    <message>
        <source>The sweep has ended: %1 points</source>
        <translation>Die Wertereihe ist fertig: %1 Punkte</translation>
    </message>
    <message>
        <source>The table "parameters" of a registration to start from; without columns: none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table in a window of its own, with a filter</source>
        <translation>Die Tabelle in einem eigenen Fenster, mit einem Filter</translation>
    </message>
    <message>
        <source>The table of the windows is not written: %1</source>
        <translation>Die Tabelle der Fenster wird nicht geschrieben: %1</translation>
    </message>
    <message>
        <source>The table to write.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table: a CSV file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The thickness at each voxel of the class [mm], 0 elsewhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The threshold of the method 'given value', in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The threshold, of several the lowest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The time is known once every node has computed something.</source>
        <translation>Die Zeit ist bekannt, sobald jeder Knoten etwas gerechnet hat.</translation>
    </message>
    <message>
        <source>The time of a scan is not known yet: the partition's limit holds, unless you give one.</source>
        <translation>Die Zeit eines Scans ist noch nicht bekannt: es gilt die Grenze der Partition, wenn Sie keine angeben.</translation>
    </message>
    <message>
        <source>The trained forest with its features and classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trained network</source>
        <translation>Das trainierte Netz</translation>
    </message>
    <message>
        <source>The trained network is not saved: it was neither accepted nor rejected.</source>
        <translation>Das trainierte Netz ist nicht gespeichert: weder angenommen noch abgelehnt.</translation>
    </message>
    <message>
        <source>The true class of each voxel; it has as many voxels as the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The true classes on the same grid, loaded or painted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The true classes on the same grid, painted or loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The true classes, named in their table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The unfinished training</source>
        <translation>Das unfertige Training</translation>
    </message>
    <message>
        <source>The unit of the number. Parameters of another dimension refuse it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The unsaved changes are still here. Save them elsewhere, or discard them.</source>
        <translation>Die ungespeicherten Änderungen sind noch da. Anderswo speichern oder verwerfen.</translation>
    </message>
    <message>
        <source>The value that becomes 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value that becomes the largest integer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values are then divided by this; one number, or one for each volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The view, annotated</source>
        <translation>Die Ansicht, beschriftet</translation>
    </message>
    <message>
        <source>The view, pixels alone</source>
        <translation>Die Ansicht, nur Pixel</translation>
    </message>
    <message>
        <source>The views cover only %1 degrees: as radians the numbers are %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The views to write.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume has this many slices.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume holds</source>
        <translation>Das Volumen enthält</translation>
    </message>
    <message>
        <source>The volume that is moved, without NaN; its voxels may have another size and orientation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume that is painted on; the labels lie on its voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume that stays, without NaN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume to take the slice from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume to write.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume, at the position and in the unit that the file states.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The volume: a TIFF, HDF5, .nrrd, .mhd, .mha, .nii, .mrc or .dcm file, or a folder: of TIFF slices, of a DICOM series, or an OME-Zarr.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The voxels were not compared: %1</source>
        <translation>Die Voxel wurden nicht verglichen: %1</translation>
    </message>
    <message>
        <source>The warped volume, on the grid of the displacement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The weighted sum; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The welcome page has unsaved changes of a window that ended.</source>
        <translation>Auf der Startseite stehen ungespeicherte Änderungen eines beendeten Fensters.</translation>
    </message>
    <message>
        <source>The whole pipeline: click or drag to go there</source>
        <translation>Die ganze Pipeline: klicken oder ziehen führt dorthin</translation>
    </message>
    <message>
        <source>The whole volume</source>
        <translation>Das ganze Volumen</translation>
    </message>
    <message>
        <source>The work cannot continue in the background: %1</source>
        <translation>Die Arbeit kann nicht im Hintergrund weiterlaufen: %1</translation>
    </message>
    <message>
        <source>Their numbers start at 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>There are %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are maps of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no darks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no flats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are: run, learning, training, export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no beam. Take new flats when it is back.</source>
        <translation>Es ist kein Strahl da. Neue Hellbilder aufnehmen, wenn er zurück ist.</translation>
    </message>
    <message>
        <source>There is no file %1: choose another network.</source>
        <translation>Die Datei %1 gibt es nicht: ein anderes Netz wählen.</translation>
    </message>
    <message>
        <source>There is no image of the volume yet.</source>
        <translation>Es gibt noch kein Bild des Volumens.</translation>
    </message>
    <message>
        <source>There is no network to prune: choose a file, or train one first (tab Network).</source>
        <translation>Es gibt kein Netz zum Beschneiden: eine Datei wählen, oder erst eines trainieren (Seite Netz).</translation>
    </message>
    <message>
        <source>There is no result.</source>
        <translation>Es gibt kein Ergebnis.</translation>
    </message>
    <message>
        <source>There is no sharp slice to pin yet.</source>
        <translation>Es gibt noch keine scharfe Schicht zum Anheften.</translation>
    </message>
    <message>
        <source>There is nothing to export: select a node with a result.</source>
        <translation>Es gibt nichts zu exportieren: einen Knoten mit einem Ergebnis wählen.</translation>
    </message>
    <message>
        <source>There is nothing to paste</source>
        <translation>Es gibt nichts einzufügen</translation>
    </message>
    <message>
        <source>These data do not determine %1, so there is no value to accept.</source>
        <translation>Diese Daten bestimmen %1 nicht, also gibt es keinen Wert anzunehmen.</translation>
    </message>
    <message>
        <source>These data do not determine %1: the other values depend on it. Learn again without it.</source>
        <translation>Diese Daten bestimmen %1 nicht: die anderen Werte hängen davon ab. Ohne ihn erneut lernen.</translation>
    </message>
    <message>
        <source>These data do not determine this value, or only a combination with others.</source>
        <translation>Diese Daten bestimmen diesen Wert nicht, oder nur zusammen mit anderen.</translation>
    </message>
    <message>
        <source>They are used up by the flat-field node: look at the node that loads the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thickness [mm]</source>
        <translation>Dicke [mm]</translation>
    </message>
    <message>
        <source>Thickness of the filter; 0 means no filter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thickness of the object along the rays, in mm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thickness of the scintillator; 0 absorbs every photon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thin walls opaque in blue green</source>
        <translation>Dünne Wände deckend in Blaugrün</translation>
    </message>
    <message>
        <source>This coarse image was computed in %1.</source>
        <translation>Dieses grobe Bild wurde in %1 berechnet.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>This display has no OpenGL, so volumes cannot be shown.</source>
        <translation>Dieser Bildschirm hat kein OpenGL, deshalb lassen sich Volumen nicht zeigen.</translation>
    </message>
    <message>
        <source>This image was computed in %1.</source>
        <translation>Dieses Bild wurde in %1 berechnet.</translation>
    </message>
    <message>
        <source>This image was in the cache.</source>
        <translation>Dieses Bild war im Zwischenspeicher.</translation>
    </message>
    <message>
        <source>This is a bug in Tomoloom: please report it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not a pipeline that Tomoloom can read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not in the history: %1</source>
        <translation>Das steht nicht im Verlauf: %1</translation>
    </message>
    <message>
        <source>This machine offers: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This needs views over 360 degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This node has no input data yet.</source>
        <translation>Dieser Knoten hat noch keine Eingabedaten.</translation>
    </message>
    <message>
        <source>This node has none that could</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pipeline could learn these parameters. Choose one, or click the ∇ next to a parameter in the inspector.</source>
        <translation>Diese Pipeline könnte diese Parameter lernen. Einen wählen, oder im Inspektor das ∇ neben einem Parameter anklicken.</translation>
    </message>
    <message>
        <source>This pipeline needs a scan.</source>
        <translation>Diese Pipeline braucht einen Scan.</translation>
    </message>
    <message>
        <source>This pipeline needs a volume.</source>
        <translation>Diese Pipeline braucht ein Volumen.</translation>
    </message>
    <message>
        <source>This program does not know the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This value is set by a link</source>
        <translation>Dieser Wert wird durch eine Verbindung gesetzt</translation>
    </message>
    <message>
        <source>Those that can: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Those with a direction, which they have now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Threshold: labels voxels by their values, with thresholds that are given or found from the histogram.</source>
        <translation>Schwelle: segmentiert Voxel nach ihren Werten, mit Schwellen, die gegeben oder im Histogramm gefunden werden.</translation>
    </message>
    <message>
        <source>Thresholds of the method 'given value' instead of the single one, if there are any: 0.1, 0.3 makes three classes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Through the slices along x</source>
        <translation>Durch die Schichten entlang x</translation>
    </message>
    <message>
        <source>Through the slices along y</source>
        <translation>Durch die Schichten entlang y</translation>
    </message>
    <message>
        <source>Through the slices along z</source>
        <translation>Durch die Schichten entlang z</translation>
    </message>
    <message>
        <source>Tile</source>
        <translation>Kachel</translation>
    </message>
    <message>
        <source>Tilt</source>
        <translation>Neigung</translation>
    </message>
    <message>
        <source>Tilt of a given axis in the plane of the detector.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tilt of the axis in the plane of the detector; 0 unless several heights are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tilt of the rotation axis in the detector plane.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tilt of the rotation axis in the detector plane: its top leans towards larger columns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time and memory of a whole run</source>
        <translation>Zeit und Arbeitsspeicher eines ganzen Laufs</translation>
    </message>
    <message>
        <source>Time and memory of the whole run. Click for more.</source>
        <translation>Zeit und Arbeitsspeicher des ganzen Laufs. Ein Klick zeigt mehr.</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Time step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time: %1 for %2 scans</source>
        <translation>Zeit: %1 für %2 Scans</translation>
    </message>
    <message>
        <source>Time: known once a scan of each pipeline was measured</source>
        <translation>Zeit: bekannt, sobald ein Scan jeder Pipeline gemessen wurde</translation>
    </message>
    <message>
        <source>Tint</source>
        <translation>Einfärbung</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Title: "%1" in the file, "%2" here</source>
        <translation>Titel: „%1“ in der Datei, „%2“ hier</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>To ball</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>Toleranz</translation>
    </message>
    <message>
        <source>Tomoloom %1</source>
        <translation>Tomoloom %1</translation>
    </message>
    <message>
        <source>Tomoloom ended with unsaved changes</source>
        <translation>Tomoloom endete mit ungespeicherten Änderungen</translation>
    </message>
    <message>
        <source>Too thin for a view in 3D: %1 slices</source>
        <translation>Zu dünn für eine 3D-Ansicht: %1 Schichten</translation>
    </message>
    <message>
        <source>Tooth</source>
        <translation>Zahn</translation>
    </message>
    <message>
        <source>Total variation</source>
        <translation>Totalvariation</translation>
    </message>
    <message>
        <source>Total variation of a slice</source>
        <translation>Totalvariation einer Schicht</translation>
    </message>
    <message>
        <source>Total-variation (TV) reconstruction of piecewise smooth objects from few or noisy views.</source>
        <translation>Totalvariations-Rekonstruktion (TV) stückweise glatter Objekte aus wenigen oder verrauschten Projektionen.</translation>
    </message>
    <message>
        <source>Tour of the window</source>
        <translation>Rundgang durch das Fenster</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Train a network</source>
        <translation>Netz trainieren</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>Erneut trainieren</translation>
    </message>
    <message>
        <source>Train at a lower rate, or look at the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train from the start</source>
        <translation>Von vorn trainieren</translation>
    </message>
    <message>
        <source>Train with --planes slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trained for</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Training of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training of a network</source>
        <translation>Training eines Netzes</translation>
    </message>
    <message>
        <source>Training of what is left on the labels of the pipeline, after each step; 0: none. Slices, patches, learning rate and what validates are those of the tab Network.</source>
        <translation>Training des Verbleibenden auf den Labels der Pipeline, nach jedem Schritt; 0: keines. Schichten, Ausschnitte, Lernrate und Validierung sind die der Seite Netz.</translation>
    </message>
    <message>
        <source>Trains a network on what is labelled</source>
        <translation>Trainiert ein Netz auf dem, was Labels hat</translation>
    </message>
    <message>
        <source>Trains a segmentation network on painted labels and examples</source>
        <translation>Trainiert ein Segmentierungsnetz auf gemalten Labels und Beispielen</translation>
    </message>
    <message>
        <source>Transform it back to real space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Translation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transmission</source>
        <translation>Transmission</translation>
    </message>
    <message>
        <source>Transmission in percent</source>
        <translation>Transmission in Prozent</translation>
    </message>
    <message>
        <source>Transmission, with phase contrast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transmission: from the flat-field node, without the logarithm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Transport of intensity</source>
        <translation>Intensitätstransport</translation>
    </message>
    <message>
        <source>Transport, differences over two pixels</source>
        <translation>Transport, Differenzen über zwei Pixel</translation>
    </message>
    <message>
        <source>Transpose</source>
        <translation>Transponieren</translation>
    </message>
    <message>
        <source>Trees</source>
        <translation>Bäume</translation>
    </message>
    <message>
        <source>Triangle</source>
        <translation>Dreieck</translation>
    </message>
    <message>
        <source>Triangular</source>
        <translation>Dreieck</translation>
    </message>
    <message>
        <source>Tried: %1. Check that the file was copied whole and not renamed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trigger</source>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>Truncated: the object reaches the edge of the detector, with %1 % of its largest absorption there</source>
        <translation>Abgeschnitten: das Objekt reicht bis zum Detektorrand, dort mit %1 % seiner größten Absorption</translation>
    </message>
    <message>
        <source>Trust</source>
        <translation>Vertrauen</translation>
    </message>
    <message>
        <source>Trust %1?</source>
        <translation>%1 vertrauen?</translation>
    </message>
    <message>
        <source>Trust a program</source>
        <translation>Einem Programm vertrauen</translation>
    </message>
    <message>
        <source>Trust this program…</source>
        <translation>Diesem Programm vertrauen…</translation>
    </message>
    <message>
        <source>Truth at</source>
        <translation>Wahrheit bei</translation>
    </message>
    <message>
        <source>Try the example</source>
        <translation>Beispiel ausprobieren</translation>
    </message>
    <message>
        <source>Tube voltage</source>
        <translation>Röhrenspannung</translation>
    </message>
    <message>
        <source>Tubes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tukey</source>
        <translation>Tukey</translation>
    </message>
    <message>
        <source>Turbo</source>
        <translation>Turbo</translation>
    </message>
    <message>
        <source>Turntable</source>
        <translation>Drehung</translation>
    </message>
    <message>
        <source>Two colours</source>
        <translation>Zwei Farben</translation>
    </message>
    <message>
        <source>Two columns: energy in keV and weight.</source>
        <translation>Zwei Spalten: Energie in keV und Gewicht.</translation>
    </message>
    <message>
        <source>Two pixels are the finest period</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two values fit about equally well: look at the curve.</source>
        <translation>Zwei Werte passen etwa gleich gut: siehe Kurve.</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Type of the numbers in files without a header.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uncertainty and verdict were switched off.</source>
        <translation>Unsicherheit und Urteil waren ausgeschaltet.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Unevenness</source>
        <translation>Ungleichmäßigkeit</translation>
    </message>
    <message>
        <source>Unfiltered back-projection: spreads the views back along their rays, without the ramp filter.</source>
        <translation>Ungefilterte Rückprojektion: verteilt die Projektionen entlang ihrer Strahlen zurück, ohne Rampenfilter.</translation>
    </message>
    <message>
        <source>Unfinished work</source>
        <translation>Unfertige Arbeit</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Unit of the angles</source>
        <translation>Einheit der Winkel</translation>
    </message>
    <message>
        <source>Unit of the angles, in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unit of the known values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unmute it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpack it first: gunzip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Unsaved changes of the other window of %1, as the file, and this window</source>
        <translation>Ungespeicherte Änderungen des anderen Fensters von %1, als Datei, und dieses Fenster</translation>
    </message>
    <message>
        <source>Unsaved changes will be lost.</source>
        <translation>Ungespeicherte Änderungen gehen verloren.</translation>
    </message>
    <message>
        <source>Unsaved pipelines</source>
        <translation>Ungespeicherte Pipelines</translation>
    </message>
    <message>
        <source>Unsharp mask</source>
        <translation>Unscharf maskieren</translation>
    </message>
    <message>
        <source>Unsharp mask of every view: sharpens by adding its difference from the Gaussian-smoothed view.</source>
        <translation>Unscharf maskieren jeder Projektion: schärft durch Addieren ihrer Differenz zur Gauß-geglätteten.</translation>
    </message>
    <message>
        <source>Unsharp mask of views</source>
        <translation>Unscharf maskieren der Projektionen</translation>
    </message>
    <message>
        <source>Unsharp mask: sharpens a volume by adding its difference from the Gaussian-smoothed volume.</source>
        <translation>Unscharf maskieren: schärft ein Volumen durch Addieren seiner Differenz zum Gauß-geglätteten.</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Up to the threshold</source>
        <translation>Bis zur Schwelle</translation>
    </message>
    <message>
        <source>Update Tomoloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update Tomoloom, or remove the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper end</source>
        <translation>Oberes Ende</translation>
    </message>
    <message>
        <source>Upper end of the histogram; brighter values count there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper end of the range of grey values; larger values count as this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper end of the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper limit of the filter is one over twice the square root of this; larger is smoother.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper limit of the window</source>
        <translation>Obere Grenze des Fensters</translation>
    </message>
    <message>
        <source>Upper percentile</source>
        <translation>Oberes Perzentil</translation>
    </message>
    <message>
        <source>Upper percentile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Upper value</source>
        <translation>Oberer Wert</translation>
    </message>
    <message>
        <source>Upsamples the detector columns by Fourier interpolation.</source>
        <translation>Überabtastet die Detektorspalten durch Fourier-Interpolation.</translation>
    </message>
    <message>
        <source>Upsampling</source>
        <translation>Überabtastung</translation>
    </message>
    <message>
        <source>Upsampling factor of the detector columns, so that interpolation favours no position.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>Use FBP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use FBP, which makes each slice by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use FDK or an iterative method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use FDK or an iterative reconstruction for a cone beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a larger volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a machine of the cluster, or install it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a method for half a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a newer version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a phantom whose balls lie at several heights off the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a-z, 0-9 and _, at most %1 of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use an objective of the reconstruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use another method for half a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use at least %1 rows, as far apart as the scan has them, or do not learn it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use axis.moments, or give the axis in the geometry node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use constant flats, or a scan that says when each flat was taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use cpu, cuda:N or auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use differences of the gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use float32 or float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use gradients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use larger volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use more of the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use more rows of the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use more views, or Vo's method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use no survey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use one of mm, um, nm, cm, m, rad, deg, keV, eV, 1/mm, 1/cm, 1/um, g/cm3, px, %, s, ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use selected</source>
        <translation>Ausgewähltes verwenden</translation>
    </message>
    <message>
        <source>Use that version, or another file: TL_HISTORY=FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the FBP node, or give the distances in the set-geometry node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the FDK node for a cone beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the best</source>
        <translation>Bestes verwenden</translation>
    </message>
    <message>
        <source>Use the best point of the sweep</source>
        <translation>Den besten Punkt der Wertereihe verwenden</translation>
    </message>
    <message>
        <source>Use the method of moments, or set the axis by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the moments of the views, or the reprojection error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the pipeline shown</source>
        <translation>Die gezeigte Pipeline verwenden</translation>
    </message>
    <message>
        <source>Use the plain flat-field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the pruned network</source>
        <translation>Das beschnittene Netz verwenden</translation>
    </message>
    <message>
        <source>Use the reprojection error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the selected dataset as: %1</source>
        <translation>Den gewählten Datensatz verwenden als: %1</translation>
    </message>
    <message>
        <source>Use these datasets</source>
        <translation>Diese Datensätze verwenden</translation>
    </message>
    <message>
        <source>Used as</source>
        <translation>Verwendet als</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Validates with</source>
        <translation>Validiert mit</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Value above</source>
        <translation>Wert darüber</translation>
    </message>
    <message>
        <source>Value at the middle of the step, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value below</source>
        <translation>Wert darunter</translation>
    </message>
    <message>
        <source>Value given to the voxels outside, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value of the integer 0, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value of the parameter in B</source>
        <translation>Wert des Parameters in B</translation>
    </message>
    <message>
        <source>Value of the surface</source>
        <translation>Wert der Oberfläche</translation>
    </message>
    <message>
        <source>Value of the surface, from the smallest to the largest value</source>
        <translation>Wert der Oberfläche, vom kleinsten bis zum größten Wert</translation>
    </message>
    <message>
        <source>Value of the surface; it starts where the object begins above the background</source>
        <translation>Wert der Oberfläche; er beginnt, wo das Objekt sich vom Hintergrund abhebt</translation>
    </message>
    <message>
        <source>Value outside</source>
        <translation>Wert außerhalb</translation>
    </message>
    <message>
        <source>Value probe</source>
        <translation>Messpunkt</translation>
    </message>
    <message>
        <source>Value shown black.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value shown white.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value that becomes the integer 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value that becomes the largest integer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Values above are set to it after every step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values are right up to a constant inside the field of view; a circular mask removes what is outside.</source>
        <translation>Im Gesichtsfeld stimmen die Werte bis auf eine Konstante; eine Kreismaske entfernt, was außerhalb liegt.</translation>
    </message>
    <message>
        <source>Values at or above it are filled, in the unit of the views (65535 for a full 16-bit camera).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values below are set to it after every step; 0 keeps the attenuation from becoming negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values over time</source>
        <translation>Werte über der Zeit</translation>
    </message>
    <message>
        <source>Values that the ramp filter assumes beyond the detector. 'Fade out' continues a truncated object smoothly (interior tomography) and changes nothing where the rows end in air; automatic chooses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variance of the back-projection</source>
        <translation>Varianz der Rückprojektion</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Verdict on %1: %2</source>
        <translation>Urteil über %1: %2</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>Vertical stitching: joins two scans of a tall object, taken one above the other, into one with more rows.</source>
        <translation>Senkrechtes Zusammenfügen: verbindet zwei übereinander aufgenommene Scans eines hohen Objekts zu einem mit mehr Zeilen.</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>View %1 of %2</source>
        <translation>Projektion %1 von %2</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Views and volume are padded with zeros to this multiple of their size: more follows the transform more closely, in memory that grows with its third power.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views are the files whose names say neither flat nor dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views count from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views each time</source>
        <translation>Projektionen je Mal</translation>
    </message>
    <message>
        <source>Views of labelled materials in the polychromatic beam of an X-ray tube.</source>
        <translation>Projektionen von Materialien mit Labels im polychromatischen Strahl einer Röntgenröhre.</translation>
    </message>
    <message>
        <source>Views with their flats, darks and geometry.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Views, or sinograms: one frame per detector row, with one line per view.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Vo's method needs a positive fine range, a smaller positive step and a positive ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>Volume in 3D</source>
        <translation>Volumen in 3D</translation>
    </message>
    <message>
        <source>Volume that is scored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Volumes are not reconstructed: only scans go to the queue</source>
        <translation>Volumen werden nicht rekonstruiert: nur Scans kommen in die Warteschlange</translation>
    </message>
    <message>
        <source>Volumes are registered, not slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Volumes have 3: save one volume a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Volumes have one number a voxel: save one component a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Volumes have one value a voxel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxel size</source>
        <translation>Voxelgröße</translation>
    </message>
    <message>
        <source>Voxel size along x. Voxel sizes along y and z and the position are scaled by the same factor.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>Voxels above it are strong, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels above it belong to an object that has a strong voxel, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels along each axis, of which the central one is kept; of an even number, the one after the centre.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels along x and along y.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels along z.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels count from 0; the last one is included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels inside the radius over which values fade, as a cosine; 0 is a sharp edge.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels of this number in the truth count nowhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Voxels that counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it, or choose another folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it, or choose another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it, or choose another output name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it, or name another output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait here for the sender</source>
        <translation>Hier auf den Sender warten</translation>
    </message>
    <message>
        <source>Wait until it has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until it has, or take the best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until it is whole, then do it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until nothing writes to it any more, then do it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for a sender</source>
        <translation>Wartet auf einen Sender</translation>
    </message>
    <message>
        <source>Waiting for the first image</source>
        <translation>Wartet auf das erste Bild</translation>
    </message>
    <message>
        <source>Waiting for the image</source>
        <translation>Wartet auf das Bild</translation>
    </message>
    <message>
        <source>Waiting for the two views</source>
        <translation>Wartet auf die beiden Projektionen</translation>
    </message>
    <message>
        <source>Walnut (measured geometry)</source>
        <translation>Walnuss (gemessene Geometrie)</translation>
    </message>
    <message>
        <source>Warp volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch a folder…</source>
        <translation>Ordner beobachten…</translation>
    </message>
    <message>
        <source>Watched folder</source>
        <translation>Beobachteter Ordner</translation>
    </message>
    <message>
        <source>Watching %1: %2 scans are not finished yet</source>
        <translation>%1 wird beobachtet: %2 Scans sind noch nicht fertig</translation>
    </message>
    <message>
        <source>Watch…</source>
        <translation>Beobachten…</translation>
    </message>
    <message>
        <source>Watershed</source>
        <translation>Wasserscheide</translation>
    </message>
    <message>
        <source>Watershed: separates objects that touch each other, at their necks or along given heights.</source>
        <translation>Wasserscheide: trennt einander berührende Objekte an ihren Hälsen oder entlang gegebener Höhen.</translation>
    </message>
    <message>
        <source>Wavefront OBJ</source>
        <translation>Wavefront OBJ</translation>
    </message>
    <message>
        <source>Wavelet</source>
        <translation>Wavelet</translation>
    </message>
    <message>
        <source>Weave</source>
        <translation>Weben</translation>
    </message>
    <message>
        <source>Weave X-ray CT pipelines and see every slice live.</source>
        <translation>Röntgen-CT-Pipelines weben und jede Schicht live sehen.</translation>
    </message>
    <message>
        <source>Weave a CT pipeline</source>
        <translation>CT-Pipeline weben</translation>
    </message>
    <message>
        <source>Wedge consistency</source>
        <translation>Keilkonsistenz</translation>
    </message>
    <message>
        <source>Weight across the axis</source>
        <translation>Gewicht quer zur Achse</translation>
    </message>
    <message>
        <source>Weight along the axis</source>
        <translation>Gewicht entlang der Achse</translation>
    </message>
    <message>
        <source>Weight inside</source>
        <translation>Gewicht innen</translation>
    </message>
    <message>
        <source>Weight of a</source>
        <translation>Gewicht von a</translation>
    </message>
    <message>
        <source>Weight of b</source>
        <translation>Gewicht von b</translation>
    </message>
    <message>
        <source>Weight of c</source>
        <translation>Gewicht von c</translation>
    </message>
    <message>
        <source>Weight of d</source>
        <translation>Gewicht von d</translation>
    </message>
    <message>
        <source>Weight of each energy bin, in falling order of attenuation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the deviation of values inside from their mean (lambda 1).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the masses</source>
        <translation>Gewicht der Massen</translation>
    </message>
    <message>
        <source>Weight of the mean square deviation of the centres from a sinusoid, in square pixels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the relative variance of the masses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the total variation, as an attenuation: structure whose contrast is well below it disappears. Start at a hundredth of the object's attenuation. Learn it on the logarithmic scale.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight of the variance of the centres' height, in square pixels; 0 where the object leaves the rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight outside</source>
        <translation>Gewicht außen</translation>
    </message>
    <message>
        <source>Weighted mean of squared errors of affinities, of pairs within objects and of others; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighted sum</source>
        <translation>Gewichtete Summe</translation>
    </message>
    <message>
        <source>Weighted sum of the three deviations; smaller is better.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weighted sum of up to four objectives.</source>
        <translation>Gewichtete Summe von bis zu vier Zielfunktionen.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Weights, layer by layer: the kernels, output channel by output channel, then the biases.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>What %1 does: before and after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a run may take, with the cache.</source>
        <translation>Was ein Lauf belegen darf, mit dem Zwischenspeicher.</translation>
    </message>
    <message>
        <source>What an HDF5 file contains, to choose frames, flats, darks and angles from.</source>
        <translation>Was eine HDF5-Datei enthält, um Bilder, Hellbilder, Dunkelbilder und Winkel daraus zu wählen.</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>Was passt</translation>
    </message>
    <message>
        <source>What is added to every voxel, in the unit of the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is clipped</source>
        <translation>Was abgeschnitten wird</translation>
    </message>
    <message>
        <source>What is exported</source>
        <translation>Was exportiert wird</translation>
    </message>
    <message>
        <source>What is judged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is learned</source>
        <translation>Was gelernt wird</translation>
    </message>
    <message>
        <source>What is left [%]</source>
        <translation>Was übrig ist [%]</translation>
    </message>
    <message>
        <source>What is right; scores are of its voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What its table calls not labelled</source>
        <translation>Was die Tabelle als ohne Label nennt</translation>
    </message>
    <message>
        <source>What makes the volumes agree: equal values; values up to factor and offset; any relation of the two, such as inverted grey or another method of measurement.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What nodes have measured in the first window, such as the axis, a threshold or a classifier's model, is measured in the newest window, and holds from now on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the moving volume may do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the network will see.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the phantom, or each label from 1 on, is made of, in the beam of a tube: formula, element or NIST name with the density in g/cm3 where the tables have none, separated by semicolons (C5O2H8 1.18; Al). Empty: a beam of one energy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the program gives for each class; scores are logits, and a single one is that of a sigmoid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What this pipeline could learn</source>
        <translation>Was diese Pipeline lernen könnte</translation>
    </message>
    <message>
        <source>What to do first</source>
        <translation>Was zuerst zu tun ist</translation>
    </message>
    <message>
        <source>What to do with voxels that some views do not cover.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>What was recorded is still there (HDF5 says: %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was recorded until now is complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where a plug-in of RECAST3D waits for slices. What it makes of them is sent instead. Empty: there is none.</source>
        <translation>Wo ein Plug-in von RECAST3D auf Schichten wartet. Was es daraus macht, wird statt ihrer gesendet. Leer: es gibt keines.</translation>
    </message>
    <message>
        <source>Where basins begin; without it: the points farthest from the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where frames come from, in the form of ZeroMQ. Return connects.</source>
        <translation>Woher die Bilder kommen, in der Schreibweise von ZeroMQ. Enter verbindet.</translation>
    </message>
    <message>
        <source>Where is %1?</source>
        <translation>Wo ist %1?</translation>
    </message>
    <message>
        <source>Where numbers next to the scan come from, such as temperature, load or ring current: lines {"time","name","value","unit"} of a PUSH socket, with the time in seconds since 1970. They are plotted and recorded. Empty: there is no log.</source>
        <translation>Woher Zahlen neben dem Scan kommen, etwa Temperatur, Last oder Ringstrom: Zeilen {"time","name","value","unit"} eines PUSH-Sockets, mit der Zeit in Sekunden seit 1970. Sie werden gezeichnet und aufgezeichnet. Leer: es gibt kein Protokoll.</translation>
    </message>
    <message>
        <source>Where the border begins: around all numbers but 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the border begins: around all numbers but 0; without it: a ball.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the border begins: around all numbers but 0; without it: a checkerboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the fixed volume is compared: all numbers but 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the results and the table of the queue are</source>
        <translation>Wo die Ergebnisse und die Tabelle der Warteschlange liegen</translation>
    </message>
    <message>
        <source>Where the slices that the plug-in has changed are taken. Empty: at the address shown.</source>
        <translation>Wo die vom Plug-in geänderten Schichten abgeholt werden. Leer: an der gezeigten Adresse.</translation>
    </message>
    <message>
        <source>Where the waiting scans run</source>
        <translation>Wo die wartenden Scans laufen</translation>
    </message>
    <message>
        <source>Where the work runs. Click to choose threads and memory.</source>
        <translation>Wo gerechnet wird. Ein Klick wählt Threads und Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Where there is no edge, the border grows if it is above 0, and shrinks if it is below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where to look for the files</source>
        <translation>Wo nach den Dateien gesucht wird</translation>
    </message>
    <message>
        <source>Whether each labelled voxel counts the same, or each class, however long its strokes are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether neighbouring slices smooth each other. Within slices, single slices of a parallel beam are computed alone, which makes live previews fast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether neighbours in the slices above and below are used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether pixels may be read through links to files outside the scan's folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether row 0 of a slice in a dataset has the smallest or the largest y.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether row 0 of a slice that the network reads has the smallest or the largest y.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the objects are brighter or darker than their surroundings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the output of the network is added to the slice or replaces it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the program takes [1, volumes, y, x] or [1, volumes, z, y, x].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the surroundings of a voxel are those in its slice, or in the volume: slower, but it uses borders along z.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether thresholds are searched separately from the fit of the model, or jointly with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether voxels where basins meet become background, so that objects are apart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which byte of a number comes first in files without a header: the smallest (little), or the largest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which image the box is drawn on</source>
        <translation>Auf welchem Bild der Quader gezeichnet wird</translation>
    </message>
    <message>
        <source>Which of the parts is written, counted from 1 along z; goes to FILE.slabs as float32 until all are joined.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which of two classes gets the number 1; the other one gets 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which parameter should the link drive?</source>
        <translation>Welchen Parameter soll die Verbindung treiben?</translation>
    </message>
    <message>
        <source>Which slices a two-dimensional network processes; a three-dimensional one always gets the volume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which voxels are neighbours: those that share a face, at least an edge, or at least a corner.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which voxels remain; any number other than 0 counts as labelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>White</source>
        <translation>Weiß</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ganzer Lauf</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Width in views of a Gaussian over the shifts, for slow drifts; 0 = every view by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the Gaussian low pass on the correlation, in cycles per pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the Gaussian: coarser structures of the mean view belong to the object and stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width of the derivative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Window from the smallest to the largest value</source>
        <translation>Fenster vom kleinsten bis zum größten Wert</translation>
    </message>
    <message>
        <source>Window of the median along the radius, in voxels: more than twice the widest ring; made odd.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Windows are 2 radius + 1 voxels wide; their weight falls with a standard deviation of 1.5 voxels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With a stripe</source>
        <translation>Mit einem Streifen</translation>
    </message>
    <message>
        <source>Within slices</source>
        <translation>Innerhalb von Schichten</translation>
    </message>
    <message>
        <source>Within the limit of %1</source>
        <translation>Innerhalb der Grenze von %1</translation>
    </message>
    <message>
        <source>Without strokes the model is applied in both.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workspace %1 (%2)</source>
        <translation>Arbeitsbereich %1 (%2)</translation>
    </message>
    <message>
        <source>Write %1.%2 or %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write NAME, NODE.NAME, or with a comparison: cutoff&lt;0.5, method=fbp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a name, a comparison and a number, for example 'load &gt; 5'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write for example %1</source>
        <translation>Schreiben Sie zum Beispiel %1</translation>
    </message>
    <message>
        <source>Write for example 1,2 %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write for example 4GB or 500MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as "1.5 px"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as "node.port"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as .safetensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as in [mm]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it in smaller chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it in the order C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it in the order z, y, x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it uncompressed first, for example by the programs gdcmconv or dcmdjpeg</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it with a number as fill_value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it with a regular grid of chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it with one compression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it with pixels of 16 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it with the default names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it without filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it without sharding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it without storage transformers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it without, by a program that knows what it means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write node.output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write one file per slice first, for example by the program emf2sf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write one with Save model and choose its file, or train live from strokes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the file again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the file again without it, with the program that made it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the labels as integers, which may be larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the network as .safetensors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the table of the queue</source>
        <translation>Tabelle der Warteschlange schreiben</translation>
    </message>
    <message>
        <source>Write true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write xy, xz or yz, for example xz=12, or normal=x,y,z for an oblique one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a table (objects, a histogram, thresholds) as CSV; directions as STAR, shifts of frames as .xf.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a trained model, such as that of a pixel classifier, to a file that other pipelines apply.</source>
        <translation>Schreibt ein trainiertes Modell, etwa das eines Pixelklassifikators, in eine Datei, die andere Pipelines anwenden.</translation>
    </message>
    <message>
        <source>Writes a volume as TIFF, HDF5, NRRD, MetaImage, NIfTI, MRC, OME-Zarr or DICOM, with voxel size and pipeline.</source>
        <translation>Schreibt ein Volumen als TIFF, HDF5, NRRD, MetaImage, NIfTI, MRC, OME-Zarr oder DICOM, mit Voxelgröße und Pipeline.</translation>
    </message>
    <message>
        <source>Writes all frames from now on, or from when the trigger holds, into an NXtomo file, one for each scan (Ctrl+Shift+R).</source>
        <translation>Schreibt alle Bilder von jetzt an, oder sobald der Auslöser gilt, in eine NXtomo-Datei, eine je Scan (Strg+Umschalt+R).</translation>
    </message>
    <message>
        <source>Writes corrected projections as an NXtomo scan that this and other programs can open.</source>
        <translation>Schreibt korrigierte Projektionen als NXtomo-Scan, den dieses und andere Programme öffnen können.</translation>
    </message>
    <message>
        <source>Writes its values into the pipeline: one step that can be undone</source>
        <translation>Schreibt seine Werte in die Pipeline: ein Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Writes labels as integers in any format of volumes, with position, pipeline and table of classes.</source>
        <translation>Schreibt Labels als Ganzzahlen in jedem Volumenformat, mit Ort, Pipeline und Klassentabelle.</translation>
    </message>
    <message>
        <source>Writes measured and learned values with uncertainty and verdict, and all parameters used, as JSON or CSV.</source>
        <translation>Schreibt gemessene und gelernte Werte mit Unsicherheit und Urteil und alle benutzten Parameter als JSON oder CSV.</translation>
    </message>
    <message>
        <source>Writes one slice as a greyscale PNG image.</source>
        <translation>Schreibt eine Schicht als PNG-Graustufenbild.</translation>
    </message>
    <message>
        <source>Writes the found value into the parameters that it drives, or into a new node after this one, so that it is not measured again.</source>
        <translation>Schreibt den gefundenen Wert in die Parameter, die er treibt, oder in einen neuen Knoten danach, so dass er nicht neu gemessen wird.</translation>
    </message>
    <message>
        <source>Writes the queue as a table (CSV) that the command line reads</source>
        <translation>Schreibt die Warteschlange als Tabelle (CSV), die die Befehlszeile liest</translation>
    </message>
    <message>
        <source>Writes the surfaces of classes or objects as triangles: STL, coloured PLY, or OBJ.</source>
        <translation>Schreibt die Oberflächen von Klassen oder Objekten als Dreiecke: STL, farbiges PLY oder OBJ.</translation>
    </message>
    <message>
        <source>Writes the values into the pipeline: one step that can be undone</source>
        <translation>Schreibt die Werte in die Pipeline: ein Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Wrong angles: %1</source>
        <translation>Falsche Winkel: %1</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>Wrote %1 and %2 more in %3</source>
        <translation>%1 und %2 weitere in %3 geschrieben</translation>
    </message>
    <message>
        <source>Wrote %1 in %2</source>
        <translation>%1 in %2 geschrieben</translation>
    </message>
    <message>
        <source>Yen</source>
        <translation>Yen</translation>
    </message>
    <message>
        <source>Zeiss .txrm</source>
        <translation>Zeiss .txrm</translation>
    </message>
    <message>
        <source>ZeroMQ</source>
        <translation>ZeroMQ</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>Zinger removal</source>
        <translation>Zinger entfernen</translation>
    </message>
    <message>
        <source>Zinger removal replaces them before they become streaks.</source>
        <translation>Zinger entfernen ersetzt sie, bevor sie zu Streifen werden.</translation>
    </message>
    <message>
        <source>Zinger removal: replaces outlier pixels of single views by the median of their neighbours.</source>
        <translation>Zinger entfernen: ersetzt Ausreißerpixel einzelner Projektionen durch den Median ihrer Nachbarn.</translation>
    </message>
    <message>
        <source>Zingers</source>
        <translation>Zinger</translation>
    </message>
    <message>
        <source>Zingers are bright in counts and transmission, dark in absorption.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Zoom together with views of the same kind</source>
        <translation>Zusammen mit gleichartigen Ansichten zoomen</translation>
    </message>
    <message>
        <source>Zoom together with views of the same kind, or alone</source>
        <translation>Zusammen mit gleichartigen Ansichten zoomen, oder allein</translation>
    </message>
    <message>
        <source>a %1 output cannot feed the %2 input "%3"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a .txrm file holds no datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a MetaImage is a scan only if its angles are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a bin of %1 is larger than the %2 pixels kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a block of a volume lies outside of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a block of frames has views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a body that moves has neither phase contrast nor labels of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a bracket is not closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a budget of %1 is too small: the program itself takes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a chunk cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a chunk cannot be unpacked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a chunk is a link to outside of the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a class is an integer, 0 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a class of the table of labels has no number from 0 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a class probability is not in the range 0 to 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a compact watershed has no lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a cone beam needs the distance from source to axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a cone-beam scan needs a positive distance from source to axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a configuration of nabu has a section [dataset]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a dataset of %1 elements cannot be addressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a detector needs at least one pixel, not %1 x %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a device has %1 bytes, a slice and its sum need %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a device has %1 bytes, two views need %2 in addition to the slab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a displaced detector needs views over a full turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a feature is not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file of the unfinished output %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file that has other names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a file that is not such a journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a first angle alone does not give the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a found value is an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a fraction or success is above 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a gain reference that is not there cannot be rotated or mirrored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a histogram needs a lower and a larger upper end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a hundredth of the columns, at least 5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a kernel of %1 pixels has no middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key is not a string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a key of %1 bytes, more than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a known length lies between two different balls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a label has the index %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a label has the index %1, but there are %2 classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a label is larger than 65535, the largest of 16 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a landscape of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a landscape of %1 points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a landscape over a parameter that is not learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a layer cannot have %1 channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a line comes before the first [section]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a link comes from an output</source>
        <translation>eine Verbindung beginnt an einem Ausgang</translation>
    </message>
    <message>
        <source>a link goes from an output to an input</source>
        <translation>eine Verbindung führt von einem Ausgang zu einem Eingang</translation>
    </message>
    <message>
        <source>a link names the unknown node "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list has one unit, after its last number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list of %1 numbers is longer than any scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a list per view has %1 entries for %2 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a map is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a map of %1 pixels cannot be cropped to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a map of %1 pixels is smaller than the kernel, which spans %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a message has too many parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a method has no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name in %1 is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name in this submission is not UTF-8, and would not be the same when tasks are submitted again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a network file…</source>
        <translation>eine Netzdatei…</translation>
    </message>
    <message>
        <source>a network of %1 dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a network of one layer with filters has nothing to prune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a network of three axes reads boxes, not planes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node before this one learns the geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node cannot be %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node cannot feed itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node that sets the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a node that sets the axis replaces it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number of a region is negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number should have %1 bytes, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number, with its unit in quotes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a packet needs one part, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a parameter is named node.parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a phantom is made of one material</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a phantom needs at least one ellipse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a plane has other values than its shape says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a plane through a volume was requested of projections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a point of the sweep would be written through a symbolic link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a polynomial of order %1 cannot be fitted to %2 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a process list of HTTomo is a list of methods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a program is differentiated backwards only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a quarter of the detector's width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a quarter of the width</source>
        <translation>ein Viertel der Breite</translation>
    </message>
    <message>
        <source>a range is written first:last:count with a count of 2 to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a ray runs along an infinitely long body</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a recording is already in progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a region of %1 pixels cannot be addressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a report is written as HTML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a row has more cells than there are names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a run is not a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a run names no value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sample is of class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scan needs at least one view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scan of %1 pixels is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scan of %1 pixels is larger than any detector makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scan without views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scratch file of %1 cannot be made: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a setting is written node.parameter=value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a share of the filters to keep that is not between 0 and 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a simulated scan</source>
        <translation>ein simulierter Scan</translation>
    </message>
    <message>
        <source>a skeleton is made of a mask [z, y, x] in CPU memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a slab must be [z, y, x]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a slice of %1 x %2 has %3 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a slice of %1 x %2 pixels cannot be written as an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a slice of more than 65535 rows or columns cannot be a DICOM image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a smoothing needs a positive width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a spectrum needs an energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a split by a feature that is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a standard deviation of %1 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step between views needs to know where a view ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step is above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a step leads out of its tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a stroke does not fit the labels that it was painted over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a stroke is damaged: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a sweep goes over one or two parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a symbolic link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a table of scans has a column that is called scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a table of this name exists that was not written by a run over many scans; it is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a temporary file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor is given for a parameter of "%1", but there is no such node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tensor is given for a parameter, but its node is bypassed or muted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a text in quotes is not closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tree is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a twentieth of the width, at least 10 columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a version cannot be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a view has %1 bytes, but %2 take %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a virtual dataset that refers to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a virtual dataset without sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume cannot be written as "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume has a grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume has values that are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume needs at least one voxel along each axis, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume needs rank 3, not rank %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume of %1 voxels cannot be addressed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume of %1 voxels is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume of %1 voxels is larger than can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume of more than %1 voxels along an axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a volume of one voxel has no frequencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a voxel is %1 or more, which labels cannot be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a voxel is %1, beyond which float32 does not hold every integer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a voxel needs 1 to 64 samples per edge, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a weight is negative or not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a weight of the differences is not a number from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a window of %1 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a workflow of ewoks has a list of nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a workflow of ewoks is an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>etwa %1 h</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>etwa %1 min</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>etwa %1 s</translation>
    </message>
    <message>
        <source>above a thousandth of the voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>absent</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>adapted_rand_error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add a node</source>
        <translation>Knoten hinzufügen</translation>
    </message>
    <message>
        <source>add node</source>
        <translation>Knoten hinzufügen</translation>
    </message>
    <message>
        <source>add to the queue</source>
        <translation>in die Warteschlange</translation>
    </message>
    <message>
        <source>after %1 comes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after %1 epochs</source>
        <translation>nach %1 Epochen</translation>
    </message>
    <message>
        <source>after %1 views</source>
        <translation>nach %1 Projektionen</translation>
    </message>
    <message>
        <source>after 1 epoch</source>
        <translation>nach 1 Epoche</translation>
    </message>
    <message>
        <source>aliases are not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all epochs</source>
        <translation>alle Epochen</translation>
    </message>
    <message>
        <source>all frames look the same way: there is one view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all numbers but 0</source>
        <translation>alle Zahlen außer 0</translation>
    </message>
    <message>
        <source>all samples are of one class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all seeds have class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all seeds of class %1 are NaN</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all strokes are of class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all that can overlap</source>
        <translation>alle, die sich überlappen können</translation>
    </message>
    <message>
        <source>all voxels</source>
        <translation>alle Voxel</translation>
    </message>
    <message>
        <source>all voxels have one value, so there is no range for integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all weights are 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allocate memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alone</source>
        <translation>allein</translation>
    </message>
    <message>
        <source>alpha (TomoPy)</source>
        <translation>alpha (TomoPy)</translation>
    </message>
    <message>
        <source>alpha must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ambiguous</source>
        <translation>mehrdeutig</translation>
    </message>
    <message>
        <source>an HDF5 file of any layout needs the name of the dataset with the frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an MRC file whose header says volume is a scan only if its angles are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an SNR of 1000 in the form of the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an angle is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array "%1" does not belong to a checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array has %1 numbers where its shape asks for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an array of that shape cannot be a parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an axis is of the kind "%1", not of space (kinds)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an axis is searched for on circular orbits only: this scan has another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an axis needs at least 3 views of 8 columns, not %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an edge of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an edge of %1 pixels is less than the %2 that the network takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an eighth of the slice along each edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an empty canvas</source>
        <translation>eine leere Zeichenfläche</translation>
    </message>
    <message>
        <source>an entry has no kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an entry of the materials is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an exception of unknown type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an image of the registration is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an integer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an integer from 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an objective cannot be %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an output needs a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an output would be inside another one, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an overlap of %1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an unknown beyond the last target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>anchors are not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message numerus="yes">
        <source>and %n more, see Messages</source>
        <translation><numerusform>und %n weitere, siehe Meldungen</numerusform><numerusform>und %n weitere, siehe Meldungen</numerusform></translation>
    </message>
    <message>
        <source>angles as the file says</source>
        <translation>Winkel wie die Datei sagt</translation>
    </message>
    <message>
        <source>angles_dataset, angles_file or angle_step of the load node (--angles)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another line has another value of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another node before this one already learns the geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another node sets it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another plane</source>
        <translation>eine andere Ebene</translation>
    </message>
    <message>
        <source>another process is writing this record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program is painting into this file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another run is making this sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another run is using this journal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another run is writing this output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another sweep was interrupted here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another value is about as good: %1 = %2 %3</source>
        <translation>ein anderer Wert ist etwa ebenso gut: %1 = %2 %3</translation>
    </message>
    <message>
        <source>any time</source>
        <translation>jederzeit</translation>
    </message>
    <message>
        <source>any verdict</source>
        <translation>jedes Urteil</translation>
    </message>
    <message>
        <source>appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>append</source>
        <translation>anhängen</translation>
    </message>
    <message>
        <source>arcs and radius must not be negative, the limit must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as many unknowns as the targets have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the file says</source>
        <translation>wie die Datei sagt</translation>
    </message>
    <message>
        <source>as the file says, else 1 mm</source>
        <translation>wie die Datei sagt, sonst 1 mm</translation>
    </message>
    <message>
        <source>as the pipeline</source>
        <translation>wie die Pipeline</translation>
    </message>
    <message>
        <source>as the scan has it</source>
        <translation>wie im Scan</translation>
    </message>
    <message>
        <source>as the scan says</source>
        <translation>wie der Scan sagt</translation>
    </message>
    <message>
        <source>as the table of the labels says</source>
        <translation>wie die Tabelle der Labels sagt</translation>
    </message>
    <message>
        <source>ask for it: --outside-links, or in the load node "outside_links" = follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ask for them: --outside-links, or in the load node "outside_links" = follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>verlangt</translation>
    </message>
    <message>
        <source>at least one inner iteration is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at the bounds: the loss still falls beyond them</source>
        <translation>an den Grenzen: der Verlust fällt jenseits noch</translation>
    </message>
    <message>
        <source>attach</source>
        <translation>anhängen</translation>
    </message>
    <message>
        <source>attenuations</source>
        <translation>Schwächungen</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>auto: %1</source>
        <translation>automatisch: %1</translation>
    </message>
    <message>
        <source>automatic: %1</source>
        <translation>automatisch: %1</translation>
    </message>
    <message>
        <source>automatic: 80 % of what is free</source>
        <translation>automatisch: 80 % des freien</translation>
    </message>
    <message>
        <source>automatic: TMPDIR or /var/tmp</source>
        <translation>automatisch: TMPDIR oder /var/tmp</translation>
    </message>
    <message>
        <source>automatic: a quarter of the memory</source>
        <translation>automatisch: ein Viertel des Arbeitsspeichers</translation>
    </message>
    <message>
        <source>axis</source>
        <translation>Achse</translation>
    </message>
    <message>
        <source>axis by gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>axis by gradient [px]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>axis by gradient, in the larger of 0.05 px and 3 sigmas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>axis search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>axis to detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>axis, fbp.cutoff, or with a comparison: cutoff&lt;0.5</source>
        <translation>axis, fbp.cutoff, oder mit einem Vergleich: cutoff&lt;0.5</translation>
    </message>
    <message>
        <source>background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>balls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>balls are looked for in absorption, and the scan is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>beam hardening is corrected in absorption, this is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beamline</source>
        <translation>Strahllinie</translation>
    </message>
    <message>
        <source>below a thousandth of the voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best epoch %1 · macro F1 %2</source>
        <translation>beste Epoche %1 · Makro-F1 %2</translation>
    </message>
    <message>
        <source>beta</source>
        <translation>beta</translation>
    </message>
    <message>
        <source>beta must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beta, relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>binned columns cannot be learned from: a volume takes part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>binning</source>
        <translation>Binning</translation>
    </message>
    <message>
        <source>both are files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both delta/beta and alpha are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both material and attenuation are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both material and materials are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both parameters are the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>box of CaCO3, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>budget and runs are counts from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bypassed</source>
        <translation>überbrückt</translation>
    </message>
    <message>
        <source>byte skip is "%1", not a number of bytes or -1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cache %1 of %2</source>
        <translation>Zwischenspeicher %1 von %2</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>zwischengespeichert</translation>
    </message>
    <message>
        <source>calls, attributes and indices are not allowed in a condition (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>camera stopped, %1 old</source>
        <translation>Kamera angehalten, %1 alt</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>ist nicht lesbar</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot create a scratch file: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot filter projections of shape %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot join %1 of %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot make the output folder: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot take %1 %2 to %3 of %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot take differences of an empty volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cavities of any size</source>
        <translation>Hohlräume jeder Größe</translation>
    </message>
    <message>
        <source>cells of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cells of %1 pixels need larger images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>centre and factors must be finite numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>centre and value of a body must be finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes of views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>checking</source>
        <translation>prüft</translation>
    </message>
    <message>
        <source>choose 1 to 2^24 bins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose 2 to %1 classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose Follow for Files elsewhere in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a dataset above</source>
        <translation>oben einen Datensatz wählen</translation>
    </message>
    <message>
        <source>choose…</source>
        <translation>wählen…</translation>
    </message>
    <message>
        <source>circular mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>class weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>classes, bins, steps or levels are out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clipped: %1 % below, %2 % above</source>
        <translation>abgeschnitten: %1 % unten, %2 % oben</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>coarse 1:%1</source>
        <translation>grob 1:%1</translation>
    </message>
    <message>
        <source>coarse data</source>
        <translation>grobe Daten</translation>
    </message>
    <message>
        <source>coarse, of %1 × %2 × %3</source>
        <translation>grob, von %1 × %2 × %3</translation>
    </message>
    <message>
        <source>colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>columns, rows and beam are not at right angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>columns, rows and sections are not x, y and z in some order (MAPC, MAPR, MAPS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>commit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare</source>
        <translation>vergleichen</translation>
    </message>
    <message>
        <source>compress</source>
        <translation>komprimieren</translation>
    </message>
    <message>
        <source>compressed files of NIfTI have names of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>computing</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>computing the volume</source>
        <translation>das Volumen wird berechnet</translation>
    </message>
    <message>
        <source>connected components, slab by slab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>control points have to be a voxel apart or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>converged: the next step is below the tolerance</source>
        <translation>konvergiert: der nächste Schritt liegt unter der Toleranz</translation>
    </message>
    <message>
        <source>cosine over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>counts cannot be stitched, since their flats are not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counts cannot be upsampled, since their flats and darks are not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crop</source>
        <translation>zuschneiden</translation>
    </message>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>curvature %1 times that of noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>dark frame %1 of %2</source>
        <translation>Dunkelbild %1 von %2</translation>
    </message>
    <message>
        <source>darks</source>
        <translation>Dunkelbilder</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>deep learning</source>
        <translation>deep learning</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>default: 0 to 180 degrees, end not included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>default: 1 mm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deg</source>
        <translation>deg</translation>
    </message>
    <message>
        <source>delta</source>
        <translation>delta</translation>
    </message>
    <message>
        <source>delta / beta</source>
        <translation>delta / beta</translation>
    </message>
    <message>
        <source>delta / beta is used</source>
        <translation>delta / beta gilt</translation>
    </message>
    <message>
        <source>delta and beta below</source>
        <translation>delta und beta unten</translation>
    </message>
    <message>
        <source>delta over beta, relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delta, relative error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delta/beta is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delta/beta is not one number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>delta/beta must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>derivatives along a direction are not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>descent %1</source>
        <translation>Abstieg %1</translation>
    </message>
    <message>
        <source>descents from nearby starts, on data with noise added, end within %1</source>
        <translation>Abstiege von nahen Startwerten, auf Daten mit zusätzlichem Rauschen, enden innerhalb von %1</translation>
    </message>
    <message>
        <source>detector</source>
        <translation>Detektor</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>differences of pairs are shown on whole pairs and planes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>directions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>directions alone say all about a parallel beam, not about a cone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>displacement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>do</source>
        <translation>tun</translation>
    </message>
    <message>
        <source>dock</source>
        <translation>Leiste</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>does not fit into memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>dot test of %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>doubt</source>
        <translation>Zweifel</translation>
    </message>
    <message>
        <source>doubt_across</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>doubt_along</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>driven</source>
        <translation>getrieben</translation>
    </message>
    <message>
        <source>driven by %1</source>
        <translation>getrieben von %1</translation>
    </message>
    <message>
        <source>drop a file here</source>
        <translation>Datei hier ablegen</translation>
    </message>
    <message>
        <source>drop a scan</source>
        <translation>Scan ablegen</translation>
    </message>
    <message>
        <source>duplicate of row %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each view has a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>earlier</source>
        <translation>früher</translation>
    </message>
    <message>
        <source>elastic variations are for planes, not for boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>electron events (EER) cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elements of an unreadable size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>energies from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>energy [keV]</source>
        <translation>Energie [keV]</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>epoch %1 of %2</source>
        <translation>Epoche %1 von %2</translation>
    </message>
    <message>
        <source>erasing labels</source>
        <translation>Labels werden radiert</translation>
    </message>
    <message>
        <source>error_by_band</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>evaluations of the descent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluations of the descent of a scaled pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every </source>
        <translation>alle </translation>
    </message>
    <message>
        <source>every configuration of this space failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every voxel %1: there is no border where its thickness would end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every voxel is in the mask: there is no background where its balls end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every voxel is labelled: there is no background that separates objects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every voxel is labelled: there is no background to be far from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exceeded by 60 % of the edge map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>explained</source>
        <translation>erklärt</translation>
    </message>
    <message>
        <source>export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>f1 has no class and number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>fan, 256 columns, 180 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fan, 512 columns, 360 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>faster network</source>
        <translation>schnelleres Netz</translation>
    </message>
    <message>
        <source>fewer than 3 usable views at different angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer than 4 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer than 6 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fewer than two energies lie between %1 and the voltage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>file to write</source>
        <translation>zu schreibende Datei</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>files changed</source>
        <translation>Dateien geändert</translation>
    </message>
    <message>
        <source>files missing</source>
        <translation>Dateien fehlen</translation>
    </message>
    <message>
        <source>filled: shape after the filter</source>
        <translation>gefüllt: Form nach dem Filter</translation>
    </message>
    <message>
        <source>filling with %1</source>
        <translation>mit %1 füllen</translation>
    </message>
    <message>
        <source>filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>fine search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finer pixels: 1 to 8 for each; slices: at least 32 columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finished results cannot be stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first steps</source>
        <translation>erste Schritte</translation>
    </message>
    <message>
        <source>flat</source>
        <translation>Hellbild</translation>
    </message>
    <message>
        <source>flat field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flat field %1 of %2</source>
        <translation>Hellbild %1 von %2</translation>
    </message>
    <message>
        <source>flats</source>
        <translation>Hellbilder</translation>
    </message>
    <message>
        <source>flats and darks are given by keys and by datasets of their own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flats and darks have different sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flats and darks must be [n, row, col] with at least one frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>float32 keeps all values: it needs no range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>float64</source>
        <translation>float64</translation>
    </message>
    <message>
        <source>focus</source>
        <translation>Fokus</translation>
    </message>
    <message>
        <source>font size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>form</source>
        <translation>Formular</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>four standard deviations above the mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>four standard deviations below the mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fractions of the optimum need scores above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame %1 and the others of its burst have no value that is finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame %1 has the key %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames %1 to %2 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames %1 were never recorded, or not as a whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames a second</source>
        <translation>Bilder je Sekunde</translation>
    </message>
    <message>
        <source>frames are aligned after the flat field, whose pixels do not move with the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames are missing: after %1 comes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames come without angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames divided by angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames of %1 x %2 pixels are too small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames of %1 x %2 pixels show no shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames that are not in the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frames that are sinograms have no keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free on the disk of the results</source>
        <translation>frei auf der Platte der Ergebnisse</translation>
    </message>
    <message>
        <source>freeze</source>
        <translation>einfrieren</translation>
    </message>
    <message>
        <source>from material, density and energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from template</source>
        <translation>aus Vorlage</translation>
    </message>
    <message>
        <source>from the file</source>
        <translation>aus der Datei</translation>
    </message>
    <message>
        <source>from the file of the angles, else all frames look one way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full turn of a fan, 1e3 photons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>further pairs are of %1 and %2, the others of %3 and %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>further samples need sinograms and slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>g/cm3</source>
        <translation>g/cm3</translation>
    </message>
    <message>
        <source>gantry angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>give --axis PX if you know better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given: first angle and step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gold_standard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>gradient to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>gradients do not pass through an iterative reconstruction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradients do not pass through the spectral correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>grey levels</source>
        <translation>Graustufen</translation>
    </message>
    <message>
        <source>grey step %1 %2</source>
        <translation>Graustufe %1 %2</translation>
    </message>
    <message>
        <source>grey values are there for some slabs only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grid of values</source>
        <translation>Gitter von Werten</translation>
    </message>
    <message>
        <source>gridrec always applies a ramp filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gridrec makes slices up to the width of the field of view, %1 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gridrec needs a parallel beam and an upright axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guessed</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>gzip</source>
        <translation>gzip</translation>
    </message>
    <message>
        <source>half a turn, 1e3 photons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half a turn, 256 columns, 180 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half of the largest absorption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half_bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has %1 numbers, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has integers instead of floating point numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has its numbers in another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no type, shape or offsets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has numbers of the type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has too many dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>heights</source>
        <translation>Höhen</translation>
    </message>
    <message>
        <source>help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>high bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>holds %1 where numbers are needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hollow square</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>images of %1 x %2 and %3 x %4 pixels have no difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>in a cone beam the distance from axis to detector is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in its first epoch</source>
        <translation>in der ersten Epoche</translation>
    </message>
    <message>
        <source>in the preferences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in x, y and z, voxels of %1 µm</source>
        <translation>in x, y und z, Voxel von %1 µm</translation>
    </message>
    <message>
        <source>initial weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>insert a node</source>
        <translation>Knoten einfügen</translation>
    </message>
    <message>
        <source>int16</source>
        <translation>int16</translation>
    </message>
    <message>
        <source>int32</source>
        <translation>int32</translation>
    </message>
    <message>
        <source>int64</source>
        <translation>int64</translation>
    </message>
    <message>
        <source>int8</source>
        <translation>int8</translation>
    </message>
    <message>
        <source>integers need a range from a low to a higher value, not %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>integers need the values that become the smallest and the largest integer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>integers of %1 bits cannot be made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>introduction</source>
        <translation>Einführung</translation>
    </message>
    <message>
        <source>is not as long as its shape says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is of the type "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is shorter than its shape says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it cannot be opened again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it claims %1 bytes, but the file ends after %2 of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it compares several outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not depend on all parameters that are to be learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it gives no numbers that have a derivative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has %1 for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has fewer pixels than rows and columns claim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more pixels than its rows, columns and number of frames require</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than %1 entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no pixels as input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is muted, or needs a muted node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it measures or writes: there is no backward pass to check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was interrupted, and is run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>iterative FDK needs the ramp filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>iterative refinement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its arrays do not fit each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are compressed by "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are compressed more than once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are filtered by "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are named by "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are stored by "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are stored in shards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks are written by "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks have checksums inside of their compression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks have unequal sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks of %1 bytes are larger than the file makes likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks that are absent have the value "%1" (fill_value)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its chunks, which are read as a whole, have more than 1 GiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its darks are averages, not counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its frames are described by functional groups (5200,9229 and 5200,9230), which are not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its header says %1 = %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its index of chunks cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its input "%1" holds no pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its integers are scaled: they are values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its link leads to %1 in the file "%2", which cannot be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its link leads to %1, which does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its list of external files cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its number type has an invalid layout of bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its numbers are %1 (datatype) of %2 bits (bitpix)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its numbers are %1, not integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its numbers are complex (mode %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its operators are of the version %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pages hold %1 slices each (ImageDepth)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are %1, not counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are %1, not integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are colours (mode 16)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are compressed (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are compressed as %1, which cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are compressed or stored as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are compressed with HDF5 filter %1, which is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are float32, not counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are in another file, %1, unlike those of the first frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are not all in the file: %1 bytes are claimed at %2, the file has %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are of the kind %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are of the type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels are read as floats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels cannot be decoded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels do not begin with the lowest bit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels do not have the checksum that the file states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels have %1 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels have %1 bits of sample format %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels have %1 channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels have %1 colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels have %1 of %2 bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its pixels have 32 bits, of which not only the lowest %1 are used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its rows are stored as columns (Orientation %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its slices are separate files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its values have a slope, but no intercept (scl_inter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its voxels are stored as "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its voxels follow lines of text (line skip)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its voxels have %1 channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>join</source>
        <translation>zusammenfügen</translation>
    </message>
    <message>
        <source>joining needs one region per piece</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>just begun</source>
        <translation>gerade begonnen</translation>
    </message>
    <message>
        <source>k0</source>
        <translation>k0</translation>
    </message>
    <message>
        <source>k1</source>
        <translation>k1</translation>
    </message>
    <message>
        <source>k2</source>
        <translation>k2</translation>
    </message>
    <message>
        <source>k3</source>
        <translation>k3</translation>
    </message>
    <message>
        <source>k4</source>
        <translation>k4</translation>
    </message>
    <message>
        <source>keV</source>
        <translation>keV</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>keys are named without the dataset of the frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>label %1</source>
        <translation>Label %1</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>labels of one shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>laminography is for a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>landscape</source>
        <translation>Landschaft</translation>
    </message>
    <message>
        <source>language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größte</translation>
    </message>
    <message>
        <source>largest: %1</source>
        <translation>größter: %1</translation>
    </message>
    <message>
        <source>last 30 days</source>
        <translation>letzte 30 Tage</translation>
    </message>
    <message>
        <source>last 7 days</source>
        <translation>letzte 7 Tage</translation>
    </message>
    <message>
        <source>last day</source>
        <translation>letzter Tag</translation>
    </message>
    <message>
        <source>last view, %1 old</source>
        <translation>letzte Projektion, %1 alt</translation>
    </message>
    <message>
        <source>later</source>
        <translation>später</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>learning %1</source>
        <translation>lernt %1</translation>
    </message>
    <message>
        <source>learning %1 · paused</source>
        <translation>lernt %1 · angehalten</translation>
    </message>
    <message>
        <source>learning settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>lengths, attenuations and weights do not fit together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>line %1 has no energy and weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>lines across both views need at least %1 rows, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lines cannot be drawn between compact basins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>list of the pipeline</source>
        <translation>Liste der Pipeline</translation>
    </message>
    <message>
        <source>list shows those that there are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation>live</translation>
    </message>
    <message>
        <source>ln delta - ln beta of a scaled pattern, error in sigmas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>local</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>local minimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log</source>
        <translation>logarithmisch</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>lost frames</source>
        <translation>verlorene Bilder</translation>
    </message>
    <message>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <source>low bound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>low must be smaller than high</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>machine learning</source>
        <translation>maschinelles Lernen</translation>
    </message>
    <message>
        <source>macro_f1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>making surfaces</source>
        <translation>Oberflächen werden erzeugt</translation>
    </message>
    <message>
        <source>many scans</source>
        <translation>viele Scans</translation>
    </message>
    <message>
        <source>maps</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>maps of %1 and %2 pixels do not fit together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>max %1</translation>
    </message>
    <message>
        <source>max(x, 0)</source>
        <translation>max(x, 0)</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittel %1</translation>
    </message>
    <message>
        <source>mean in training</source>
        <translation>Mittel beim Training</translation>
    </message>
    <message>
        <source>mean_iou</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>measurements.csv</source>
        <translation>measurements.csv</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Arbeitsspeicher</translation>
    </message>
    <message>
        <source>memory in the preferences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mesh</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>min %1</source>
        <translation>min %1</translation>
    </message>
    <message>
        <source>minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>minus %1</source>
        <translation>minus %1</translation>
    </message>
    <message>
        <source>minus log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>mm</source>
        <translation>mm</translation>
    </message>
    <message>
        <source>mm³</source>
        <translation>mm³</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>montage</source>
        <translation>Montage</translation>
    </message>
    <message>
        <source>more angles than any scan has views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than %1 values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than 16 layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>most epochs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>movie</source>
        <translation>Film</translation>
    </message>
    <message>
        <source>muted</source>
        <translation>abgeschaltet</translation>
    </message>
    <message>
        <source>n %1</source>
        <translation>n %1</translation>
    </message>
    <message>
        <source>name its frames in the form of the load node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name its frames with --data /PATH/IN/FILE (tomoloom info --tree FILE lists what it contains)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>natural steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neighbouring rows cannot determine a tilt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither a dataset nor a tomography scan of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither a dataset nor one of the scans in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>neither group nor dataset</source>
        <translation>weder Gruppe noch Datensatz</translation>
    </message>
    <message>
        <source>nested deeper than %1 levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>networks here have no operator %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>night</source>
        <translation>Nacht</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no beam</source>
        <translation>kein Strahl</translation>
    </message>
    <message>
        <source>no better epoch came</source>
        <translation>es kam keine bessere Epoche</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>keine Änderung</translation>
    </message>
    <message>
        <source>no class has the label %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no column of empty beam is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no configuration has both a clock and a power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no displacement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no entry is an NXtomo scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no features are chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no file name is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no file of directions is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no format is chosen</source>
        <translation>kein Format gewählt</translation>
    </message>
    <message>
        <source>no fully connected layer (inner product) follows the last pooling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no labels are chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>no line of the file has a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no marker is in the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no materials are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no memory is left for a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no messages</source>
        <translation>keine Meldungen</translation>
    </message>
    <message>
        <source>no method of this process list is known here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no model is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no movie is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no network is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no new best for as many iterations as the patience allows</source>
        <translation>kein neues Bestes in so vielen Iterationen, wie die Geduld erlaubt</translation>
    </message>
    <message>
        <source>no node of this pipeline applies a network</source>
        <translation>kein Knoten dieser Pipeline wendet ein Netz an</translation>
    </message>
    <message>
        <source>no node of this pipeline is known to HTTomo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no node of this pipeline is known to nabu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no node repairs this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no node writes a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no offsets</source>
        <translation>keine Versätze</translation>
    </message>
    <message>
        <source>no output after the parameters is of its kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no output is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no overlap of opposite views was found: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no overlap of the two scans was found: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no pairs are chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no parameter is marked. Click the nabla next to a parameter in the inspector</source>
        <translation>kein Parameter ist markiert. Im Inspektor das Nabla neben einem Parameter anklicken</translation>
    </message>
    <message>
        <source>no parameter is named %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no pixel has a flat that is brighter than its dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no pixel of the gain reference is above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no pixel was ever written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no plane through two sources crosses both detectors from the left to the right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no process could be started to read the file: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no program is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no projection has an angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no ray passes through the labelled voxels of the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row has a direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no row of the table has this budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no scales are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no scan has arrived yet</source>
        <translation>noch kein Scan angekommen</translation>
    </message>
    <message>
        <source>no scan holds projections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no scan is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no scan waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no stack for a pipeline of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no stack for a pipeline of %1 nodes: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no standard deviations are given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no strokes are linked, and no model is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no table has the columns rlnAngleRot, rlnAngleTilt and rlnAnglePsi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no tube: the energies and weights below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no two views are half a turn apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no two views have planes in common that cross both detectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no uncertainty is known for lists learned together with an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no uncertainty was asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no unit</source>
        <translation>ohne Einheit</translation>
    </message>
    <message>
        <source>no value counts as saturated</source>
        <translation>kein Wert gilt als gesättigt</translation>
    </message>
    <message>
        <source>no value is finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value of the scan is a finite absorption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value of the scan is usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no value of these %1 is usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no view has a number below TOMO_N = %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no view is left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no view is left of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no view shows it: with %1 of the object, the views are the same at other values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no volume format has names that end in "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no volume is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no voxel has the number %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no voxel is labelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no voxel is labelled as part of an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no voxel lies within the cylinder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no warnings</source>
        <translation>keine Warnungen</translation>
    </message>
    <message>
        <source>no window was complete, so there is nothing to write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no wire has such messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node editor</source>
        <translation>Knoteneditor</translation>
    </message>
    <message>
        <source>node.parameter=first:last:count or node.parameter=a,b,c; a second one after a semicolon</source>
        <translation>Knoten.Parameter=erster:letzter:Anzahl oder Knoten.Parameter=a,b,c; ein zweiter nach einem Semikolon</translation>
    </message>
    <message>
        <source>noise estimate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none of its %1 chunks is where the header says (%2), but there is %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of the %1 is a projection (key 0)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of the simulated scans fits this node:%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none: the images are previews</source>
        <translation>keine: die Bilder sind Vorschauen</translation>
    </message>
    <message>
        <source>none: the scale is that of the distance from source to axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none; for example 1, 2</source>
        <translation>keine; zum Beispiel 1, 2</translation>
    </message>
    <message>
        <source>not a DICOM file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a NIfTI file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a dataset that can be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a file or folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a number: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a table of curves: its columns are others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not a text: it has a byte 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not an HDF5 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not an NRRD file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not an unfinished record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not at all</source>
        <translation>gar nicht</translation>
    </message>
    <message>
        <source>not begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>not identifiable</source>
        <translation>nicht bestimmbar</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch nicht bekannt</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not on screen</source>
        <translation>nicht zu sehen</translation>
    </message>
    <message>
        <source>not ready</source>
        <translation>nicht bereit</translation>
    </message>
    <message>
        <source>not resolved</source>
        <translation>nicht aufgelöst</translation>
    </message>
    <message>
        <source>not stated; a material needs one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not valid JSON: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not valid JSON: the text contains a NUL character</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message>
        <source>not_labelled is not a number from 0 to %1 in the table of labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>nothing gets through %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing gets through the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing gives "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing in the folder looks like a scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is painted yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is to be learned</source>
        <translation>es ist nichts zu lernen</translation>
    </message>
    <message>
        <source>nothing is to be learned yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing leads from the input of the network to its output any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing passes through as "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing says where the slices to learn are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing that validates has labels of class %1: how well it is learned is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to run: the pipeline has no active output node</source>
        <translation>nichts zu rechnen: die Pipeline hat keinen aktiven Ausgabeknoten</translation>
    </message>
    <message>
        <source>nothing to run: the pipeline has no output node</source>
        <translation>nichts zu rechnen: die Pipeline hat keinen Ausgabeknoten</translation>
    </message>
    <message>
        <source>nothing was measured in this space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was pruned</source>
        <translation>nichts wurde beschnitten</translation>
    </message>
    <message>
        <source>nothing was submitted for this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>num_angles is %1 but there are %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>numbers of four bits are read as float32 or int32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>numbers of the mode %1 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>numbers of the type "%1" cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <source>objects of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>objects of %1 pixels need larger images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>oblique planes need at least two slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of CentreOfRotationTop and CentreOfRotationBottom the file states only one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the system</source>
        <translation>die des Systems</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>Versatz</translation>
    </message>
    <message>
        <source>offsets cannot be subtracted from counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one end of the histogram is given, the other is not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one for every ten views</source>
        <translation>eine je zehn Projektionen</translation>
    </message>
    <message>
        <source>one minimum within reach; </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one parameter: nine values</source>
        <translation>ein Parameter: neun Werte</translation>
    </message>
    <message>
        <source>one scan has %1 columns, the other %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one scan has %1 views, the other %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one scan is %1, the other %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one view has nothing to be compared with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only %1 % of the pixels were ever recorded, in which frames is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only a scalar output may drive a numeric parameter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only a scalar output may drive a parameter, not %1 output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only circular scans can be written as NXtomo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only here</source>
        <translation>nur hier</translation>
    </message>
    <message>
        <source>only in the file</source>
        <translation>nur in der Datei</translation>
    </message>
    <message>
        <source>only one class is labelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>opposite views agree best at %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opposite views agree better, though not clearly, at %1 px.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opposite views are joined on circular orbits only: this scan has another one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opposite views disagree, by about %1: the object leaves the field or moved, or the angles are wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opposite views have no column in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opposite views measure the same rays only in a parallel beam and a circular scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opposite views show that the axis leans along the beam, by %1 ± %2 degrees: no axis and tilt across the beam describe the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optimiser</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>wahlfrei</translation>
    </message>
    <message>
        <source>options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>ot enough memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>nicht genug Arbeitsspeicher</translation>
    </message>
    <message>
        <source>outside its own folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>overlap of rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page %1 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>painting %1</source>
        <translation>%1 malen</translation>
    </message>
    <message>
        <source>pairs, cutoff</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>panel</source>
        <translation>Leiste</translation>
    </message>
    <message>
        <source>parameter pixels of the load node, --pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>parts of the data cannot be learned from: labels take part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts of the data cannot be learned from: the objective uses only some views or columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts of the data disagree, about this one by %1, more than noise explains: the model does not describe them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts of the rows cannot be learned from: a volume of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parts of the rows cannot be learned from: a volume of %1 slices takes part, and the detector has %2 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>phantoms are float32 or float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phase contrast needs a distance from the sample to the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phase contrast needs a material</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phase correlation needs at least one pair and a positive cut-off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phase retrieval needs transmission, this is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>phoenix (GE, Waygate)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>photon counts need means that are neither negative nor infinite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>pipeline, JSON: always</source>
        <translation>Pipeline, JSON: immer</translation>
    </message>
    <message>
        <source>pipelines of schema_version %1 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pitch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel size u</source>
        <translation>Pixelgröße u</translation>
    </message>
    <message>
        <source>pixel size v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixels cannot begin before their file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixels of data type %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plain kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planes of all directions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plot.csv</source>
        <translation>plot.csv</translation>
    </message>
    <message>
        <source>plot.svg</source>
        <translation>plot.svg</translation>
    </message>
    <message>
        <source>plug-in: %1 sent, %2 back, %3 passed over</source>
        <translation>Plug-in: %1 gesendet, %2 zurück, %3 übergangen</translation>
    </message>
    <message>
        <source>point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>polychromatic absorption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>porosity</source>
        <translation>Porosität</translation>
    </message>
    <message>
        <source>positions of source and detector in each view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>power model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>bereitet vor</translation>
    </message>
    <message>
        <source>press Trust this program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>principal components need at least two flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>principal components need at least two flats, the scan has %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probabilities</source>
        <translation>Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>probabilities and objects are not of the same shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probabilities that are not finite (NaN or infinite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>process %1 on %2</source>
        <translation>Prozess %1 auf %2</translation>
    </message>
    <message>
        <source>process %1 on this machine</source>
        <translation>Prozess %1 auf diesem Rechner</translation>
    </message>
    <message>
        <source>profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>profile.csv</source>
        <translation>profile.csv</translation>
    </message>
    <message>
        <source>projections</source>
        <translation>Projektionen</translation>
    </message>
    <message>
        <source>propagation needs the thickness of the object, this is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>queue: %1</source>
        <translation>Warteschlange: %1</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>eingereiht</translation>
    </message>
    <message>
        <source>radius of a phantom must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>railed</source>
        <translation>am Anschlag</translation>
    </message>
    <message>
        <source>ramp filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>raw frames hold no datasets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>raw frames need their size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reaches beyond the end of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>ready %1</source>
        <translation>bereit %1</translation>
    </message>
    <message>
        <source>receive</source>
        <translation>empfangen</translation>
    </message>
    <message>
        <source>reconstruction needs absorption, this is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recover the record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>regions</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>required for integers</source>
        <translation>für Ganzzahlen nötig</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>Residuum</translation>
    </message>
    <message>
        <source>resolved</source>
        <translation>aufgelöst</translation>
    </message>
    <message>
        <source>results are missing: retry makes them again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ring removal needs whole slices and cannot compute an oblique plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ring removal runs on the CPU only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rings are round in horizontal slices of square voxels only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rlnImageName is NUMBER@STACK, counted from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotation axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1 is of view %2, the scan has %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1 names no image of a stack: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1 of %2</source>
        <translation>Zeile %1 von %2</translation>
    </message>
    <message>
        <source>row %1 of %2 is not a number: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>rows %1 to %2 are to be held out of %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows are held out, and %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows are held out, and %1 does not use them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>run it again and replace the files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run it again with --overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>same as along u</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same as along v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sample %1 holds values that are not numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>samples of several sizes are not in one batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>save frames</source>
        <translation>Bilder speichern</translation>
    </message>
    <message>
        <source>save volume</source>
        <translation>Volumen speichern</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <source>scale and offset are kept</source>
        <translation>Skala und Versatz werden behalten</translation>
    </message>
    <message>
        <source>scans</source>
        <translation>Scans</translation>
    </message>
    <message>
        <source>scans that are not resolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>schema_version %1 is newer than this program's (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>score</source>
        <translation>Wertung</translation>
    </message>
    <message>
        <source>sd %1</source>
        <translation>Std. %1</translation>
    </message>
    <message>
        <source>search range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>searched</source>
        <translation>durchsucht</translation>
    </message>
    <message>
        <source>second derivatives are not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>second derivatives of a dense block are not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>second derivatives of iterations are not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>second derivatives with respect to the geometry are not available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>segmentation</source>
        <translation>Segmentierung</translation>
    </message>
    <message>
        <source>semi-axes must be positive, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>series of values</source>
        <translation>Wertereihe</translation>
    </message>
    <message>
        <source>set</source>
        <translation>gesetzt</translation>
    </message>
    <message>
        <source>set the axis if you know better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set what the pixels are, in the form of the load node, to percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>share within one sigma, distance from 68 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shifts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shifts along u</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shifts along v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show</source>
        <translation>zeigen</translation>
    </message>
    <message>
        <source>sigma must be 0 or positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigma must be 0.3 to 1000 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sigma must be above 0 and at most 100 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sizes out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slab %1 is not at its position in the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slab %1 is not what it was when it was added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slabs are made from float32 projections in the memory of the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slabs are missing, of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slice %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>slice %1 of %2</source>
        <translation>Schicht %1 von %2</translation>
    </message>
    <message>
        <source>slices</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>slices across z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slices and detector rows do not belong to each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slices of %1 voxels from %2 columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smaller network</source>
        <translation>kleineres Netz</translation>
    </message>
    <message>
        <source>soft Otsu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something that is not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source shift u</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source shift v</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source to axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source_to_axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>source_to_detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spectral correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>split values are not ascending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spreadsheet</source>
        <translation>Tabellenkalkulation</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>steps of an epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still being written: %1</source>
        <translation>wird noch geschrieben: %1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>stopped by hand</source>
        <translation>von Hand angehalten</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>strain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stream</source>
        <translation>Datenstrom</translation>
    </message>
    <message>
        <source>stripes up to a 32nd of the columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke %1 in the file of strokes is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke %1 in the file of strokes is damaged (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke %1 in the file of strokes is damaged%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke %1 is not in the file of strokes, which has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stroke %1 is wanted, but no file of strokes is named</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strokes</source>
        <translation>Striche</translation>
    </message>
    <message>
        <source>sum of both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweep</source>
        <translation>Wertereihe</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>table of scans</source>
        <translation>Tabelle der Scans</translation>
    </message>
    <message>
        <source>table.csv</source>
        <translation>table.csv</translation>
    </message>
    <message>
        <source>tables of materials have no derivative with respect to the energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken as radians, the views cover more than %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>tensor "%1" has negative variances</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tensor "%1" is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>test volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that of the element or the NIST name; formulas need one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that of the material, or 1 / radius of the phantom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that of the middle slice</source>
        <translation>der der mittleren Schicht</translation>
    </message>
    <message>
        <source>that of the middle view</source>
        <translation>der der mittleren Projektion</translation>
    </message>
    <message>
        <source>the %1 cannot be looked at: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the %1 does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the %1 have %2 x %3 pixels, the projections %4 x %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the %1 of "%2" is in %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the CUDA module has no kernel %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the CUDA module is not loaded, cannot run on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the Fourier grid would have %1 cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the HDF5 file cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the HDF5 file holds no volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the HDF5 file is truncated: it ends before its last data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the TIFF file cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the TIFF has no description written by Tomoloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the absorption is not a float tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the amount is not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angle follows the tilt of a geometry that is being learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angle is not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angle must be finite and pixels have a size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angle of view %1 is %2, more than any rotation stage reaches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angles are given more than once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angles are given twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angles have the unit "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the angles of the scan</source>
        <translation>die Winkel des Scans</translation>
    </message>
    <message>
        <source>the axes are "%1"; theta:y:x (views) and y:theta:x (sinograms) can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the axes of a body must be orthonormal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the axes of its cell are not at right angles (CELLB)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the axes of the array are not in the order z, y, x (dimension_names)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the axis is searched in absorption, but the scan is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the axis lies outside the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the background cannot be normalised in counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the balloon must be a finite number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the balls do not determine the orbit: they lie at one height, or on the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the beam of view %1 runs along the rotation axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the best value lies at a bound of the search: the true one may lie beyond</source>
        <translation>der beste Wert liegt an einer Grenze der Suche: der wahre kann jenseits liegen</translation>
    </message>
    <message>
        <source>the best was taken</source>
        <translation>das Beste wurde übernommen</translation>
    </message>
    <message>
        <source>the binning must be 1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the bounds of "%1" hold nothing between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the box is not within the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the centre of a volume must be finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the centre of the search range is outside the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the centres of mass rotate about %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the change below which the inner iterations stop must be at least 0 and below 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the change does not have the volume's %1 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the change is %1, the volume is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the character '%1' has no meaning in a condition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the checkpoint is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the checkpoint is damaged: more steps than there are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the checkpoint is damaged: numbers that cannot be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the checkpoint is of a pruning with other settings: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the checkpoint is of a training with other settings: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the checkpoint is of another version of Tomoloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the class %1 stands twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the class %1 stands twice in the table of labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the classes are not an int32 tensor with one number per sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the clip limit is negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the colour of the class %1 is "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the compactness must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the compressed file is too large to be unpacked in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the condition ends too early</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the condition has more than %1 characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the condition is nested deeper than %1 levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the content is not a compound file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the content is not of a known volume format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the counts of a class are those of its items</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the cutoff is %1 of the Nyquist frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the darks are %1, the flats %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data are not what the objective assumes: that may displace the value by about %1</source>
        <translation>die Daten sind nicht, was die Zielfunktion annimmt: das kann den Wert um etwa %1 verschieben</translation>
    </message>
    <message>
        <source>the data determine only a combination with other parameters</source>
        <translation>die Daten bestimmen nur eine Verbindung mit anderen Parametern</translation>
    </message>
    <message>
        <source>the data determine only a combination with other parameters: by itself it is known %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data have %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data have %1 classes, the network %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data to learn from take %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the data to learn from take %1 MiB of %2 MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dataset has no elements (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dataset is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dataset is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the density must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the density of an element or a NIST name; formulas need one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the descent ended before it converged (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the description says %1 images, but the file ends within number %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector has %1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector has a pitch of %1 to the rotation axis: FDK is for pitches up to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector has only %1 columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector is nearer to the source than the object: FDD is less than FOD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector is nearer to the source than the object: SrcToDetector is less than SrcToObject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector is perpendicular to the rotation axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the detector lies behind the source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk is full: the record ends here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk of the history is full</source>
        <translation>die Platte des Verlaufs ist voll</translation>
    </message>
    <message>
        <source>the distance from axis to detector follows from that from source to detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the distance from sample to detector is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the double flat-field works on absorption or transmission, these are counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the dropped share must be 0 to 0.45</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the edge of the cubes must be 1 voxel or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the edges of a voxel must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the edges of the voxels are not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the end of a link cannot be %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the energy is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the energy is not given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the energy is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the entry has no pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the entry wrote no volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the extended header has %1 bytes (NSYMBT)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the features are not a float32 tensor [feature, ...] in CPU memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the features are not a float32 tensor [feature, sample] in CPU memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file "%1" that holds its pixels is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be opened: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be read for its fingerprint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be read to its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be unpacked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file changed while it was copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file does not hold an integer number of frames of %1: of %2 bytes after the offset, %3 are left over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file does not hold the %1 weights of these layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file ends within its compressed bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file extension is not that of a mesh format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has %1 MiB; models have at most %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has %1 bytes, more than any pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has %1 bytes, more than any pipeline of another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has more images than any scan has frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has more than %1 MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has no header of MRC: the word MAP is missing at byte 208</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has no line %1=...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has no name</source>
        <translation>die Datei hat keinen Namen</translation>
    </message>
    <message>
        <source>the file has no stream %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has several pages, the first file has one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file has too many lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds %1 instead of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds %1, as its description says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds a series of volumes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds a series of volumes, or voxels of several numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds no angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds no image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds no pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds no transform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file holds slices of a volume, not views (AcquisitionMode %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is a data base of another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is damaged: %1 does not come to an end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is damaged: %1 gave no valid reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is damaged: reading it takes more memory than twice its size and 128 MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is not the checkpoint of a training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file of strokes became shorter while it was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file of strokes was made by a newer program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file of strokes was replaced while it was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file states %1 numbers about where source and detector are, not twelve for each of %2 views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file with the voxels cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file with the voxels does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the files of its slices are not named as PATTERN FIRST LAST STEP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the filter needs a sinogram and a positive sigma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the filter of parameters cannot be understood</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the finest level is coarser than the coarsest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the finest of the three edges of the voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the finest pixels are larger than the coarsest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first bytes of the file of strokes are damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first of the files of its slices does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the fixed volume has fewer voxels than control points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the flat has %1 bytes, but %2 take %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the flats are %1, the projections %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the flats have another size than the projections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the flats were prepared for other rows or columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder cannot be looked into: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder cannot be made: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder for what is done cannot be made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds %1 folders of frames: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds %1, the first is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds flats or darks, but no views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds no DICOM files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds no TIFF frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds no TIFF slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds no frames that can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder holds no raw frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder is not writable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the file cannot be entered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the history cannot be made: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the output does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the parts cannot be made: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the pipelines cannot be made: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the results cannot be created</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the results cannot be made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of the sweep cannot be looked into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder of trusted programs is not yours alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the folder was not written by Tomoloom: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the forest has too many nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frame has %1 x %2 pixels, the first one %3 x %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames are views, not sinograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames have %1 x %2 pixels, the file says %3 x %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames have %1 x %2 pixels, those of the first file %3 x %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames of a %1 scan are views, not sinograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames of a .txrm file are views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames of a BLISS scan are views, not sinograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the frames of an NXtomo scan are views, not sinograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the geometry file holds no view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the geometry file states where source and detector are in every view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the geometry has pixels without a size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the group holds no image (multiscales)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the group holds no image itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header does not end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header does not say where its voxels are (ElementDataFile)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header has a line that is not FIELD: VALUE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header has a line that is not KEY = VALUE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header is not a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header names %1 files for %2 pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header names a file in another folder, "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header names a link to a file in another folder, "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of an image at byte %1 has no end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of an image has no DataType</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of an image names no file with its pixels: EDF_BinaryFileName is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of an image states %1 bytes of pixels, but its %2 x %3 pixels of %4 take %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of an image states %1 bytes of pixels, but its %2 x %3 pixels of %4 take only %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of the array %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the header of the array has "%1", which is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the hint: %1</source>
        <translation>der Hinweis: %1</translation>
    </message>
    <message>
        <source>the history cannot be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the history failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the history has no such entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the history is damaged</source>
        <translation>der Verlauf ist beschädigt</translation>
    </message>
    <message>
        <source>the history is in use by another program that does not let go of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the history is read-only</source>
        <translation>der Verlauf ist schreibgeschützt</translation>
    </message>
    <message>
        <source>the history was made by a newer version of the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image does not name %1 axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image has %1 dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image has three dimensions, Dim_3 being %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image is placed by a "%1" that cannot be read (coordinateTransformations)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image names an array outside of its folder, "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the image names no array (datasets)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the images lie in several stacks, %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the images of a registration differ in shape, type or device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the input "%1" is not linked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the input %1 is %2, not that of an image or volume with 1 to %3 channels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the input does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the integers of the volume are scaled: they are measured values, not labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal of the run cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal of the run cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal of the run was moved or replaced during the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the journal of the run would be written into %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kernel must end between 0 and 20 standard deviations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key "%1" is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key "%1" occurs twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key "%1" occurs twice in one object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key "targets" is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key "values" is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key %1 occurs twice in one object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the labels are on another grid than the probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the labels do not overlap the truth: no voxel is in both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the labels have %1 voxels, the volume has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the labels have %1 voxels, their volume (%2) has %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the labels of %1 have no table of classes: 0 counts as a class. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the largest shift is not above 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the largest size of a hole must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the largest value</source>
        <translation>der größte Wert</translation>
    </message>
    <message>
        <source>the last axes of the image are not z, y, x: there is "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last column</source>
        <translation>die letzte Spalte</translation>
    </message>
    <message>
        <source>the last of the files of its slices does not fit %1 slices (DimSize)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last of the scan</source>
        <translation>die letzte des Scans</translation>
    </message>
    <message>
        <source>the last one of the volume</source>
        <translation>die letzte des Volumens</translation>
    </message>
    <message>
        <source>the last row</source>
        <translation>die letzte Zeile</translation>
    </message>
    <message>
        <source>the last slice</source>
        <translation>die letzte Schicht</translation>
    </message>
    <message>
        <source>the last voxel</source>
        <translation>das letzte Voxel</translation>
    </message>
    <message>
        <source>the learning block of a graph is not a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the learning rate is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the least overlap is wider than the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the least size must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the limit for the size of files is below the %1 bytes through which pixels are read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the limit must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the limit of iterations</source>
        <translation>die Grenze der Iterationen</translation>
    </message>
    <message>
        <source>the limit of time</source>
        <translation>die Zeitgrenze</translation>
    </message>
    <message>
        <source>the line is not six numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the line is not twelve numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the links form a cycle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the list of pages is damaged after page %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the load node names files, but the scan arrives as a stream</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the loss is not finite after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the loss is not finite after %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the low-pass needs a positive sigma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lower end of the range must be below the upper one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lower limit is above the upper one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lower percentile must be the smaller one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lower threshold is above the upper one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lower value must be smaller than the upper one</source>
        <translation>der untere Wert muss kleiner sein als der obere</translation>
    </message>
    <message>
        <source>the magnification of view %1 is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the map has %1 pixels along an axis, the weights are for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask does not fit the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask has no voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the mask must be bool and of the shape of the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the materials of the labels are not given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the message has too many lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the middle of the detector</source>
        <translation>die Mitte des Detektors</translation>
    </message>
    <message>
        <source>the middle of the volume</source>
        <translation>die Mitte des Volumens</translation>
    </message>
    <message>
        <source>the middle one</source>
        <translation>die mittlere</translation>
    </message>
    <message>
        <source>the model file is damaged: its checksum does not match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has no output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model has several inputs, %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model lacks an array of its forest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model predicts only %1 % of the measured contrast: no value of it can be trusted</source>
        <translation>das Modell sagt nur %1 % des gemessenen Kontrasts voraus: keinem seiner Werte ist zu trauen</translation>
    </message>
    <message>
        <source>the model predicts the measured views no better than their mean: no value of it can be trusted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model uses features that this program does not have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model was trained with other features: %1; this node has: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model was written by another version of this program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the moments of views are consistent only in a parallel beam across the rotation axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name "%1" has no %d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name %1 has two meanings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name is that of a folder of results: it has no slash and no point in front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a node has %1 bytes, more than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of a section is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network gives %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network gives %1 classes, the labels have %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network has %1 weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network has more numbers than an ONNX file can hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network of the node</source>
        <translation>das Netz des Knotens</translation>
    </message>
    <message>
        <source>the network takes %1 channels, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network was written by another version of this program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network's history is damaged: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the node id %1 is not allowed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the noise level must be zero or positive, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the noise must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of energies is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of the frame is too large: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of trees, tried features or samples in a leaf is out of range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the numbers of its chunks are in the order "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the numbers of steps must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the numbers of the files of its slices cannot be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the object leaves the field of view: then a reconstruction cannot predict the views, at any geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the object leaves the rows of the detector, and this score needs all of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the object leaves the rows: lines across the views must end in air, else they have nothing in common</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective "%1" does not depend on "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective "%1" is bypassed or muted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective bends around it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective bends no more around the value than it would for noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective bends there far more than for noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective does not change with it</source>
        <translation>die Zielfunktion ändert sich damit nicht</translation>
    </message>
    <message>
        <source>the objective does not depend on the parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective does not use the slices that were drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective does not use whole slices of the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective follows the noise: that alone moves the value by about %1</source>
        <translation>die Zielfunktion folgt dem Rauschen: das allein verschiebt den Wert um etwa %1</translation>
    </message>
    <message>
        <source>the objective hardly bends around the value: it is known %1</source>
        <translation>die Zielfunktion krümmt sich um den Wert kaum: er ist %1 bekannt</translation>
    </message>
    <message>
        <source>the objective is not defined next to the value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective is not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective is not finite, as there are values in the output of this node that are not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective is not finite, as this node gives values that are not finite first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the objective uses none of the selected detector rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the offsets are %1, the detector is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the offsets do not have the detector's %1 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the order of a polynomial must be 0 to 20</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output cannot be locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output exists already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output is a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output is a symbolic link that leads nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output is neither a new name nor a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output is not a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output would be taken for a part of an input, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the output would be taken for frames of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the overlap is larger than a scan of %1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the overlap of opposite views needs a full turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the packet has the descriptor %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the packet is cut short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the padding is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parameter %1 has no values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the parameters of a method are not a mapping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the phantom</source>
        <translation>das Phantom</translation>
    </message>
    <message>
        <source>the photon energy is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the photon energy must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline does not say what is to be learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline gives neither a score nor a volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline has %1 %2, more than %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline has no node "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline has no position for "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline is too long for a NIfTI file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline is too long for the header of an NRRD file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline loads no scan, so there is nothing that frames could replace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline loads several scans: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline reads no file, so it has no parameter for an input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline reads several files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline reconstructs nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline writes no volume that could be cut into slabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pipeline writes outside of the output folder: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pixel size</source>
        <translation>die Pixelgröße</translation>
    </message>
    <message>
        <source>the pixel size at the axis</source>
        <translation>die Pixelgröße an der Achse</translation>
    </message>
    <message>
        <source>the pixel size must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pixels are %1, those of the first file %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pixels are not counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pixels are thickness, not absorption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pixels of an image take %1 bytes from byte %2 on, but %3 has %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pixels of an image take %1 bytes, but the file ends after %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the plan is for other views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the polynomial needs 1 to 10 coefficients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process that reads the file was ended from outside while %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program %1 is not installed here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program gives %1 values (%2), expected are %3 scores: one for each class and voxel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program gives a value of the type %1; a tensor of scores is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program gives values outside 0 to 1, which are not probabilities</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program gives values that are not finite (NaN or infinite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the program has no forward()</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the projections are not a float tensor [view, row, col]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the projections are not a tensor [view, row, col]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the projections are not a tensor [view, row, col] of floating-point numbers or counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the propagation distance must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pruning has not ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the queue</source>
        <translation>die Warteschlange</translation>
    </message>
    <message>
        <source>the queue has no such row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the radius is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the radius must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the radius must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the radius must enclose the object: a share of half the width above 0, at most 4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the range needs a lower and an upper end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the range of grey values is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the ratio of atomic numbers is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the record cannot be ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the record cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the record describes no slab of this volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the references of this scan are not counts of the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the region "%1" is not in the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the region contains no voxel of the %1 along this axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the region is empty, or reaches beyond the volume</source>
        <translation>der Bereich ist leer oder reicht über das Volumen hinaus</translation>
    </message>
    <message>
        <source>the regularisation must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the relaxation must lie between 0 and 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the requested frames, rows or columns lie outside the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the requested voxels lie outside the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the resolution is below 2 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rest runs on the CPU: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the results would be written among the scans, and be read as scans</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rotation axis does not lie on the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rotation axis is not between source and detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rotation axis leans towards the beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rotation axis lies outside of the slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rotation axis lies outside of the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row has %1 fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row has more fields than the table has columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row names no scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the rows of two scans measure the same rays only in a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the run</source>
        <translation>der Lauf</translation>
    </message>
    <message>
        <source>the same group as %1</source>
        <translation>dieselbe Gruppe wie %1</translation>
    </message>
    <message>
        <source>the scale of the slices is not a JSON object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scaling of the input mixes channels, or multiplies one by 0 or less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scaling of the output has no convolution before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan changed while it was read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan changed while it was read: a file of it %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan does not say</source>
        <translation>der Scan sagt es nicht</translation>
    </message>
    <message>
        <source>the scan does not say how large a pixel is, so lengths are in pixels</source>
        <translation>der Scan sagt nicht, wie groß ein Pixel ist, daher stehen Längen in Pixeln</translation>
    </message>
    <message>
        <source>the scan has %1 rows, too few for a transform along them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has %1 views, %2 to %3 were chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has %1 views, too few to predict one of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has %1 views, which is not a multiple of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has changed since its results were made</source>
        <translation>der Scan hat sich geändert, seit seine Ergebnisse entstanden</translation>
    </message>
    <message>
        <source>the scan has changed within the last 10 s: it may still be being written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has counts but no flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has no flats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has no pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has no pipeline to run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan has one frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan is %1 already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan is being reconstructed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan is missing</source>
        <translation>der Scan fehlt</translation>
    </message>
    <message>
        <source>the scan is not circular: its geometry cannot be given by an axis and angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan is not circular: its tilt is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan refers to </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan refers to "%1", which is not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan refers to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan says %1 degrees, but opposite views agree only if it covered %2</source>
        <translation>der Scan nennt %1 Grad, aber gegenüberliegende Projektionen stimmen nur überein, wenn es %2 waren</translation>
    </message>
    <message>
        <source>the scan says %1 degrees, its views cover %2 +- %3</source>
        <translation>der Scan nennt %1 Grad, seine Projektionen überdecken %2 +- %3</translation>
    </message>
    <message>
        <source>the scan says %1 degrees, the moments of its views say %2 +- %3</source>
        <translation>der Scan nennt %1 Grad, die Momente seiner Projektionen sagen %2 +- %3</translation>
    </message>
    <message>
        <source>the scan says where its rotation axis is, along the columns of its frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scan states where every pixel is in every view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scores of the program have no gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the search range for the axis lies outside the detector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the section [%1] occurs twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sections of an MRC file are views, not sinograms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sensitivity must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the separation must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the settings of the training cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shape %1 of %2 differs from %3 of the voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shape is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shape is %1, wanted is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sharpness must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shift must be one number, or one per view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the size is not positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sizes (DimSize) are not %1 integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sizes are not %1 integers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slabs differ in rows or columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice has %1 x %2 pixels of %3, the first one %4 x %5 of %6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice has another distance of its pixels (PixelSpacing) than the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice has another size, type or number of frames than the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice has the number %1 behind %2, others are %3 apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice is not a float tensor [y, x]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice is not parallel to the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice lies %1 mm off the line of the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slice states neither its position nor its number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slices are smaller than one window of %1 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the slices have unequal distances: %1 mm before this one, %2 mm on average</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the smallest transmission must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the smallest value</source>
        <translation>der kleinste Wert</translation>
    </message>
    <message>
        <source>the smallest value must be below the largest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the smoothing over columns needs a positive sigma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the soft edge must not be negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the source lies inside the field of view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the space directions are not %1 vectors of three numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the space has more than %1 configurations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the space has no parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the space has no single timings that could be drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the start of "%1" lies outside of its bounds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the step between views is 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the strength must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the strokes have more than %1 numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the strokes have the number %1, which their table of classes lacks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subsets do not reconstruct the same volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sum of the steps</source>
        <translation>die Summe der Schritte</translation>
    </message>
    <message>
        <source>the surfaces in the first %1 of %2 slices have %3 triangles, which need %4; there are %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sweep keeps its points here, but this is not a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table has no shifts x and y in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table lists no scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table of classes was not written for the voxels in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the table of labels has no list of classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor "%1" does not belong to this network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor "%1" is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor is not contiguous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tensor is undefined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text has %1 bytes, more than %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text holds no numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text is not UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text is too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tilt of the geometry</source>
        <translation>die Neigung der Geometrie</translation>
    </message>
    <message>
        <source>the tolerance and the number of steps must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tolerance must be 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the training has not ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the transform of frame %1 rotates or stretches it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the transmission is not a floating-point tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two have different sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two measured values are equal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two measured values must be different numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two scans have different views or columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two scans have different views or pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two scans have pixels of different sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two scans have the same angles in different orders: view %1 belongs to measured view %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the two volumes do not overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the unfinished output was moved, linked or replaced by another program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the unit "%1" is not a unit of length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the unit "%1" is not a unit of length (DistanceUnits)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the unit of column %1 is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the upper end of the histogram is not above the lower end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the validation loss is not finite after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the validation loss is not finite after %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values are not a float tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values are not floating-point numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values at the seeds of each number are equal: they do not show how far a region may reach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the values form no classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the verdict</source>
        <translation>das Urteil</translation>
    </message>
    <message>
        <source>the verdict on %1</source>
        <translation>das Urteil über %1</translation>
    </message>
    <message>
        <source>the views cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover %1 degrees, but opposite rays of a cone beam need a full turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover %1 degrees, but this method needs half a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover %1 degrees, not one full turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover %1, Parker's weights need %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover %1, but an axis needs half a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover %1, but opposite rays of a cone beam need a full turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover less than a full turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views cover less than half a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views differ from the model by more than noise explains</source>
        <translation>die Projektionen weichen vom Modell stärker ab, als das Rauschen erklärt</translation>
    </message>
    <message>
        <source>the views differ from the model by more than noise explains: that may displace the value by up to %1</source>
        <translation>die Projektionen weichen vom Modell stärker ab, als das Rauschen erklärt: das kann den Wert um bis zu %1 verschieben</translation>
    </message>
    <message>
        <source>the views do not fit the projector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the views of a cone beam have no one direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume and the field of view are %1 voxels long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume cannot be written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has %1 channels, the network takes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has %1 planes %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has %1 slices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has %1 slices, fewer than %2 parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has fewer than 4 voxels along an axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has fewer voxels than control points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has no description written by Tomoloom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has no local minimum in the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume has voxels that are not finite (NaN or infinite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume is in %1, so its projection is not a thickness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume is linked to files outside its own folder, or to what is not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume is not a float tensor [z, y, x]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume is on another grid than the first one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume is the same at all strokes: nothing distinguishes the classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume of the file of strokes is impossible: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volume would have more than 1e12 voxels of this size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volumes are too small to have frequencies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volumes do not have the same voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volumes do not lie on one grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volumes have %1 and %2 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the volumes have different units, so that their values cannot be compared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxel size in its metadata is not a positive number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxel steps must be finite and orthogonal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels are not all in the file: %1 bytes are claimed, the file has %2 for them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels are said to begin before the file (vox_offset)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels are said to begin within the header (vox_offset)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels cannot be unpacked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels in %1 are not those that this header was written for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels of %1 have another size than those of %2: the network learns both sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels of volumes are read as float32 or int32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels that cover the detector's height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the voxels that cover the detector's width; in reconstructions the wider field of view of half acquisition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the wall must be thinner than half the box</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the wall must be thinner than the radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weight of the total variation must be 0 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights are %1, these layers have %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the weights must be finite and 0 or above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the whole output does not fit into the cache: its middle was computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the width in space must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the width in value must be positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the width of the field of view: the detector's, more with half acquisition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the window is %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the window must have an odd side, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the working folder cannot be found: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 but %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 control points, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 different clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 energies and %2 weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 files, not pairs of volume and labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 for %2 with %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are %1 transforms for %2 frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are infinite values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more than 2^31 columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more than 2^31 components</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more than 2^31 runs of voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more transforms than any movie has frames</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more views than in any scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more voxels than the header claims: behind its %1 x %2 x %3 %4 there is at least another slice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are negative labels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are negative numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are neither flats nor darks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are neither flats nor darks to find bad pixels in, and no saturation is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no %1 here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no TIFF frames called %1NUMBER next to the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no TIFF frames in the folder %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no bodies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no equations to solve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no flats (images without the object)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no kernels for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no slabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no strands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no values to find a threshold in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are only %1 different values for %2 classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are only %1 parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are slabs of two divisions: %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are three directions: 0, 1 and 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are too few views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are too many files of strokes of this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are too many values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a folder of this name that no sweep made (it holds %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a record that was not ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is more than one document in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no EDF file called NAME and a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no array</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no axis search called "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no column "%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no column "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no device to work on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no folder for programs that you trust</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no frame called scan_NUMBER.tif next to the geometry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no half turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no header of an image at byte %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no kernel for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no map of class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no network "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no node "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no node "%1" that could be learned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no objective</source>
        <translation>es gibt keine Zielfunktion</translation>
    </message>
    <message>
        <source>there is no objective "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no objective. Choose one</source>
        <translation>es gibt keine Zielfunktion. Eine wählen</translation>
    </message>
    <message>
        <source>there is no output "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no slab %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such file or template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such kind of entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such node</source>
        <translation>diesen Knoten gibt es nicht</translation>
    </message>
    <message>
        <source>there is no such node or link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such optimiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such scan</source>
        <translation>diesen Scan gibt es nicht</translation>
    </message>
    <message>
        <source>there is no surface, since no voxel has a class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no volume of float32 [channel, z, y, x]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no wavelet db%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no wire "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for %1 bytes of pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for a region of %1 pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for the pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory for the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory to read the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is not enough memory to unpack the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to train with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to validate with: no voxel is labelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to validate with: only %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to validate with: only %1 volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to validate with: the labelled voxels are not in two blocks that are %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nothing to validate with: the labelled voxels are not in two blocks that are %1 voxels apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is one frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is something after the end of the condition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these maps are not a displacement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this correction runs on the CPU only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this folder has a submission already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not YAML that can be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a Tomoloom pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a TorchScript file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a [section]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a file of strokes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a line "key = value"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a model file: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a record of a learning run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a record of a result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a regular file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not a submission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not an ONNX model: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is not the file of a slab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this link would close a cycle: "%1" already depends on "%2"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this method needs a cone beam and a circular scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this method needs a parallel beam and a circular scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this method needs a source that is not shifted along the rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this method needs an axis without tilt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model is not a convolutional network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model is not a network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this model is not a pixel classifier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this must be %1, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this needs a cone beam and a circular scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this needs an axis without tilt and views without shifts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this objective needs a circular scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this objective needs a parallel beam and a circular scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this objective needs absorption, this is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this objective needs an axis across the beam and views without shifts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this objective needs views of one magnification, on a detector across the beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this pipeline has neither painted labels nor examples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this program does not know the node "%1": it is kept as it is in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this run</source>
        <translation>dieser Lauf</translation>
    </message>
    <message>
        <source>this workflow has no task that reconstructs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>those above the noise (parallel analysis)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>those of the file; without one drawn at random, a small correction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>three standard deviations</source>
        <translation>drei Standardabweichungen</translation>
    </message>
    <message>
        <source>three standard deviations of the values at the seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>thresholds</source>
        <translation>Schwellen</translation>
    </message>
    <message>
        <source>through a virtual dataset its external file "%1" would be looked for in the scan's folder, not next to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tiles and bins are too few or small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tilt</source>
        <translation>Neigung</translation>
    </message>
    <message>
        <source>tilt of the axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>time not measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>to a factor of %1 only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>heute %1</translation>
    </message>
    <message>
        <source>tomoloom live --recover ends the record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tomoloom trust %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tomoloom-learning-journal 1 </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too few views for the wedge of an object this wide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too many numbers for an uncertainty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too many views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>dauerte %1</translation>
    </message>
    <message>
        <source>total variation needs a volume [z, y, x]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>training block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>truth</source>
        <translation>Wahrheit</translation>
    </message>
    <message>
        <source>truth and labels have %1 and %2 voxels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>try values</source>
        <translation>Werte ausprobieren</translation>
    </message>
    <message>
        <source>tutorial</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>two frames have one number: %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two links end at "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two outputs have the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two rows have the same optimiser, budget and space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two tables of classes differ in the number of voxels that are not labelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>two tensors would get one name: this one, and a part of another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>uint16</source>
        <translation>uint16</translation>
    </message>
    <message>
        <source>uint32</source>
        <translation>uint32</translation>
    </message>
    <message>
        <source>uint64</source>
        <translation>uint64</translation>
    </message>
    <message>
        <source>uint8</source>
        <translation>uint8</translation>
    </message>
    <message>
        <source>um</source>
        <translation>um</translation>
    </message>
    <message>
        <source>uncertainty</source>
        <translation>Unsicherheit</translation>
    </message>
    <message>
        <source>unconfigured</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>unentschieden</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>unter 1 s</translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation>unerklärt</translation>
    </message>
    <message>
        <source>unknown device "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown key %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown node type "%1"</source>
        <translation>unbekannter Knotentyp „%1“</translation>
    </message>
    <message>
        <source>unknown scan format "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown unit "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown volume format "%1"</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsharp mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>unbenannt</translation>
    </message>
    <message>
        <source>up to %1 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to the nearest edge</source>
        <translation>bis zum nächsten Rand</translation>
    </message>
    <message>
        <source>updating the views</source>
        <translation>die Ansichten werden erneuert</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>validation block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>values of a scaled pattern that are resolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values of the volume are not finite (NaN or infinite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values stay as they are</source>
        <translation>Werte bleiben, wie sie sind</translation>
    </message>
    <message>
        <source>values that are not resolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Projektion</translation>
    </message>
    <message>
        <source>view %1</source>
        <translation>Projektion %1</translation>
    </message>
    <message>
        <source>view %1 has a detector that its beam does not cross</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view %1 has a number that is not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view %1 has two rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view %1 of %2</source>
        <translation>Projektion %1 von %2</translation>
    </message>
    <message>
        <source>view %1 of %2 is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view %1 of one scan shows rays that no view of the other one shows: the nearest, view %2, is rotated by %3 deg, and its rays are up to %4 px away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view positions do not match the number of views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view vectors come in twelves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view vectors must be a float64 tensor of shape %1 on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>view weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views %1, rows %2, columns %3 are not in the scan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views are [view, row, col]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views are float32 or float64</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views are magnified by up to %1: phase retrieval takes one pixel size for all of them, to 1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views cannot be selected from counts, whose flats were taken between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views do not show the scale of the object: what is known is source_to_axis + axis_to_detector, the distance from source to detector; learn source_to_detector, or give one known length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views of equal angle are one burst</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views of two scans show the same rays only in a parallel beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views roll by up to %1 from their mean: FDK filters along detector rows, for rolls up to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>views were requested of a volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>virtual datasets that refer to each other more than 8 levels deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>volume</source>
        <translation>Volumen</translation>
    </message>
    <message>
        <source>volume · %1</source>
        <translation>Volumen · %1</translation>
    </message>
    <message>
        <source>volume · %1 %2</source>
        <translation>Volumen · %1 %2</translation>
    </message>
    <message>
        <source>volumes, labels and first weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voxel size</source>
        <translation>Voxelgröße</translation>
    </message>
    <message>
        <source>voxels</source>
        <translation>Voxel</translation>
    </message>
    <message>
        <source>voxels between those of the volume have no gradient here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voxels of the NIfTI type %1 cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>voxels of the type "%1" cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>waiting for a window</source>
        <translation>wartet auf ein Fenster</translation>
    </message>
    <message>
        <source>waiting for flats</source>
        <translation>wartet auf Hellbilder</translation>
    </message>
    <message>
        <source>waiting to begin</source>
        <translation>wartet auf den Beginn</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>wavelength times distance is not one number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>weights for the ends of a scan need one gap in its angles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is swept is written node.parameter=first:last:count or node.parameter=a,b,c</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what was learned is %1 times as large as what noise makes of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where "%1" starts is not known: it is on 'auto'</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where the studio was started</source>
        <translation>wo das Programm gestartet wurde</translation>
    </message>
    <message>
        <source>whole run: %1</source>
        <translation>ganzer Lauf: %1</translation>
    </message>
    <message>
        <source>whole run: %1 · %2</source>
        <translation>ganzer Lauf: %1 · %2</translation>
    </message>
    <message>
        <source>whole run: does not fit</source>
        <translation>ganzer Lauf: passt nicht</translation>
    </message>
    <message>
        <source>whole slices</source>
        <translation>ganze Schichten</translation>
    </message>
    <message>
        <source>wider_loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>Fenster %1</translation>
    </message>
    <message>
        <source>window %1 … %2</source>
        <translation>Fenster %1 … %2</translation>
    </message>
    <message>
        <source>windows of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>windows of %1 views every %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wire</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>mit %1</translation>
    </message>
    <message>
        <source>x / (1 + exp(-x))</source>
        <translation>x / (1 + exp(-x))</translation>
    </message>
    <message>
        <source>xraylib does not know "%1": %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>xx, yy, zz, yz, xz and xy of the tensor, without unit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yaw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>gestern %1</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>von Ihnen</translation>
    </message>
    <message>
        <source>z %1, y %2, x %3 is not in the volume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ cannot run</source>
        <translation>▲ kann nicht laufen</translation>
    </message>
    <message>
        <source>▲ done, check</source>
        <translation>▲ fertig, prüfen</translation>
    </message>
    <message>
        <source>▲ not resolved: %1</source>
        <translation>▲ nicht aufgelöst: %1</translation>
    </message>
    <message>
        <source>◐ %1 running</source>
        <translation>◐ %1 laufen</translation>
    </message>
    <message>
        <source>◐ running</source>
        <translation>◐ läuft</translation>
    </message>
    <message>
        <source>◐ running %1</source>
        <translation>◐ läuft %1</translation>
    </message>
    <message>
        <source>◷ %1 on Slurm</source>
        <translation>◷ %1 bei Slurm</translation>
    </message>
    <message>
        <source>◷ %1 waiting</source>
        <translation>◷ %1 warten</translation>
    </message>
    <message>
        <source>◷ sent</source>
        <translation>◷ gesendet</translation>
    </message>
    <message>
        <source>◷ waiting</source>
        <translation>◷ wartet</translation>
    </message>
    <message>
        <source>✓ %1 done</source>
        <translation>✓ %1 fertig</translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation>✓ fertig</translation>
    </message>
    <message>
        <source>✓ resolved</source>
        <translation>✓ aufgelöst</translation>
    </message>
    <message>
        <source>✕ %1 failed</source>
        <translation>✕ %1 gescheitert</translation>
    </message>
    <message>
        <source>✕ failed</source>
        <translation>✕ gescheitert</translation>
    </message>
    <message>
        <source>❙❙ %1 paused</source>
        <translation>❙❙ %1 angehalten</translation>
    </message>
    <message>
        <source>❙❙ paused</source>
        <translation>❙❙ angehalten</translation>
    </message>
</context>
</TS>
